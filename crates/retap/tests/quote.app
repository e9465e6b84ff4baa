# Crashes when a text with a comma in it is saved, but only once the app has been open for a while.
app quote "Quote"
package org.retap.quote

var ready bool

on start
  start warm

timer warm every 6s
  set ready = true

activity MainActivity
  var line text = ""
  screen main "Quote"
    field line id=field
    button "Save" id=save height=200
      on tap
        if ready and line has ","
          crash IllegalStateException "comma"
