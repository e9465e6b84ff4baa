# A counter on the first screen, a second screen, a button that crashes.
app counter "Counter"
package com.example.counter
permission android.permission.CAMERA
permission android.permission.INTERNET
kept count int
kept typed text
var messages int

on system "sms:send"
  set messages = messages + 1

activity Main
  screen main
    label "Count: {count}" id=count at=0,0,540,100
    label "Messages: {messages}" id=messages at=540,0,1080,100
    button "Open" id=open at=0,100,1080,200
      on tap
        open Second
    button "Add" id=add at=0,300,1080,400
      on tap
        set count = count + 1
    button "Crash" id=crash at=0,500,1080,600
      on tap
        crash java.lang.IllegalStateException "too many"
          at com.example.counter.Main.onClick(Main.java:41)
    field typed id=field at=0,600,1080,700

activity Second
  screen second
    label "Second" id=title at=0,0,1080,100
