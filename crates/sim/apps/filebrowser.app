# A file browser [DetReduce, examples 2.1 to 2.4].
#
# The folders /, /foo and /foo/foo look alike: one state for whoever does not read the path. /foo/foo/foo has
# the pictures. One button opens and closes the menu. The search is the system of example 2.4, whose six
# actions are a: Search, b: By name, c: Start, d: Recent, e: Again, f: Open.
app filebrowser "Files"
package org.retap.filebrowser

# Whether opening and closing the menu runs code of its own: 1 when it does, as in example 2.2.
knob covered = 0

activity BrowserActivity
  var path text = ""
  var depth int = 0
  var folders list = ["foo"]
  var menu_open bool

  on back
    if menu_open
      set menu_open = false
    else if depth == 2
      set depth = 1
      set path = "/foo"
    else if depth == 1
      set depth = 0
      clear path
    else
      finish

  screen folder
    row
      label "{path}/" id=path
      button "Search" id=search
        on tap
          open SearchActivity
      button "⋮" id=menu desc="More options"
        on tap
          uncovered
          if menu_open
            set menu_open = false
            if covered == 1
              cover menu_closed * 2
          else
            set menu_open = true
            if covered == 1
              cover menu_opened * 2
    list folders id=folders enabled=not menu_open
      on tap
        if depth == 2
          open PicturesActivity
        else
          set depth = depth + 1
          set path = "{path}/{item}"
      label "{item}" height=144
    column id=popup at=540,215,1056,663 if=menu_open
      button "Option" id=option
        on tap
          set menu_open = false
          open OptionActivity
      button "About" id=about
        on tap
          set menu_open = false
          dialog about
      button "Exit" id=exit
        on tap
          exit

  dialog about "About"
    label "Files 2.4"
    button "OK" id=ok
      on tap
        close

activity OptionActivity
  var hidden bool
  var sorted int = 1

  screen options "Options"
    check hidden "Show hidden files" id=hidden
    radio sorted "Sort by name" = 1 id=by_name
    radio sorted "Sort by date" = 2 id=by_date

activity PicturesActivity
  var pictures list = ["beach.jpg", "cat.jpg", "moon.jpg"]

  screen pictures "/foo/foo/foo"
    list pictures id=pictures
      image "{item}" height=360

activity SearchActivity
  var words text = ""
  var hits list = ["moon.jpg", "moonlight.mp3"]

  screen ways "Search"
    button "Recent" id=recent
      on tap
        uncovered
        cover list_recent * 3
        show past
    button "By name" id=by_name
      on tap
        show name

  screen name "Search by name"
    field words id=words hint="Part of a name"
    button "Start" id=start
      on tap
        show found

  screen found "Found"
    button "Recent" id=recent
      on tap
        uncovered
        cover list_recent * 3
        show past
    list hits id=hits
    button "Open" id=open
      on tap
        show file

  screen past "Recent searches"
    label "moon"
    button "Again" id=again
      on tap
        show name

  screen file "moon.jpg"
    image "A full moon" height=900
