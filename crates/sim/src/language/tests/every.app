# Every construct of the language, once or more.
app every "Every thing"
package org.example.every
include "part.app"

knob dialog = 0.25 probability
knob pages = 3
permission android.permission.CAMERA
permission android.permission.READ_CONTACTS

kept items list = ["milk", "tea"]
kept done bool
var count int = -2
var colour text = "red" or "blue" or "green" 2:1:1
var wifi bool = true
var size int = 1

on start
  start sync
  log info Every "started with {count}"

on system "android.intent.action.BATTERY_LOW"
  set count = count + pages

timer sync every 30s
  if online and not done
    push items "synced {count}"

activity MainActivity
  var draft text = ""

  on create
    chance dialog
      dialog welcome
    else
      focus title
  on resume
    busy 300ms
  on pause
    stop sync
  on back
    if len(items) > 0
      dialog confirm
    else if landscape
      nothing
    else
      finish
  on menu
    menu main
  on key search
    show search
  on key code:300
    exit

  screen list "Every ({len(items)} of {pages})" scrolls
    label "Items: {items}" id=head
    list items id=rows
      on long tap
        remove items index
      row
        label "{index + 1}. {item}"
        button "Delete" if=item != "tea"
          on tap
            uncovered
            remove items index
            cover shared * 3
    field draft id=title hint="Title" enabled=count < 3 and not done
      on change
        set count = len(draft)
    field colour password
    check done "Done" id=done
      on change
        toggle wifi
    switch wifi "Wi-Fi" height=120
    radio size "Small" = 1
    radio size "Large" = 2 id=large
    column id=box
      image "Logo" at=0,-10,200,100
      button id=add desc="Add {draft}" class=android.widget.ImageButton
        on tap
          open EditActivity
        on double tap
          leave share
        on swipe left
          clear items
          clear draft
        on pinch
          log warn "Two words" "pinched"
      button "Ok" id="android:id/button1"

  screen search
    list items

  dialog welcome "Welcome" fixed
    field draft id=name focus
    button "Enter"
      on tap
        close
  dialog confirm "Delete all?" scrolls
    button "OK"
      on tap
        cover shared * 3
        cover once
        finish
  menu main
    item "Settings"
      on tap
        leave settings
    item "About"

activity org.example.other.EditActivity
  screen edit "Edit"
    button "Load" id=load
      on tap
        fetch lognormal 400ms 0.5 fail dialog
          reply
            after 500ms
              set items = ["fresh"]
          error
            crash java.lang.IllegalStateException "no network for {count}" cause java.io.IOException
              at org.example.every.EditActivity.load(EditActivity.java:41)   # the one that counts
              at android.view.View.performClick(View.java:7125)
    button "Photo" id=photo
      on tap
        ask CAMERA
          granted
            leave camera
          denied
            fetch uniform 100ms 2s
              error
                native SIGSEGV "fault addr 0x{count}"
                  at libevery.so render+24
        ask android.permission.READ_CONTACTS
    button "Stop" id=stop enabled=granted(CAMERA) or items has "milk" and items[0] == "tea"
      on tap
        fetch 400ms
          reply
            nothing
        set count = (count - 1) * 2 / 3 % -size
        hang "Input dispatching timed out"
      on long tap
        crash java.lang.NullPointerException
