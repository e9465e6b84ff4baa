# Some of everything, all of it within reach of random events.
app everything "Everything"
knob greet = 0.5 probability
permission android.permission.CAMERA

kept items list = ["milk", "tea", "bread", "jam", "salt"]
kept runs int
var colour text = "red" or "blue" 1:1
var name text
var done bool
var wifi bool = true
var size int = 1
var ticks int

on start
  set runs = runs + 1
  start clock

on system "android.intent.action.BATTERY_LOW"
  push items "battery {ticks}"

timer clock every 700ms
  set ticks = ticks + 1
  if ticks % 50 == 49
    push items "tick {ticks}"

activity MainActivity
  var draft text
  on create
    chance greet
      dialog welcome
  on resume
    busy 50ms
  on pause
    log info Main "paused at {ticks}"
  on menu
    menu main
  on key search
    show form
    focus title

  screen list "Everything ({len(items)})"
    row
      button "Edit" id=edit
        on tap
          open EditActivity
      button "Form" id=form
        on tap
          show form
      button "Load" id=load
        on tap
          fetch uniform 100ms 3s fail 0.3
            reply
              push items "loaded"
            error
              dialog failed
    list items id=rows
      on long tap
        remove items index
      row
        label "{index + 1}. {item}"
        button "Delete" if=item != "tea"
          on tap
            remove items index
            chance 0.02
              crash java.lang.IndexOutOfBoundsException "{index}"
    field name id=name hint="Name"
      on change
        set draft = name + "!"
    check done "Done" id=done
      on change
        toggle wifi
    image "Logo" at=900,1700,1200,2000
      on tap
        open EditActivity
        finish

  screen form "Form" scrolls
    field draft id=title hint="Title"
    switch wifi "Wi-Fi"
    radio size "Small" = 1
    radio size "Large" = 2
    label "{draft} {colour}" height=1400
    button "Submit" id=submit enabled=draft != ""
      on tap
        show list
      on swipe up
        leave share
      on pinch
        exit

  dialog welcome "Welcome"
    field name id=who focus
    button "OK"
      on tap
        close
  dialog failed "Failed" fixed
    button "Retry"
      on tap
        close
        after 1s
          push items "retried"
    button "Busy"
      on tap
        busy 3s
        close
  menu main
    item "Settings"
      on tap
        leave settings
    item "Camera"
      on tap
        ask CAMERA
          granted
            leave camera
          denied
            dialog failed
    item "Browser"
      on tap
        leave browser
    item "About"

activity EditActivity
  var text text = "draft"
  on back
    if text == "draft"
      finish
    else
      dialog discard
  screen edit
    field text id=text
    button "More" id=more
      on tap
        open EditActivity
    button "Later" id=later
      on tap
        after 2s
          finish
    button "Native" id=native if=landscape
      on tap
        native SIGABRT "gone"
    button "Hang" id=hang if=size == 2
      on tap
        chance 0.5
          hang
  dialog discard "Discard?"
    button "Yes"
      on tap
        finish
    button "No"
      on tap
        close
