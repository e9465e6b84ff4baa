# Flash cards [TimeMachine, section 3.2: how random testing gets stuck].
#
# Importing cards goes through a browser of folders that lead round and round (a loop), and then through a long
# form whose button is far below the screen (a dead end). Behind both, the first review of an imported deck
# crashes.
app flashcards "Flash Cards"
package org.retap.flashcards

kept decks list = ["Capitals", "Kanji"]
kept reviewed int
var deck text = ""
var imported bool

activity DecksActivity
  screen decks "Decks"
    list decks id=decks height=900
      on tap
        set deck = item
        open ReviewActivity
      label "{item}" height=150
    button "Import a file" id=import
      on tap
        open FilesActivity
    button "Statistics" id=statistics
      on tap
        open StatisticsActivity
    button "About" id=about
      on tap
        dialog about

  dialog about "About"
    label "Flash Cards 10.11"
    button "OK" id=ok
      on tap
        close

activity StatisticsActivity
  screen statistics "Statistics"
    label "{len(decks)} decks"
    label "{reviewed} cards seen"

# Every folder leads to another one, and most lead back to the storage. Back goes one folder up.
activity FilesActivity
  var folder text = "storage"
  var level int
  var entries list = ["Alarms", "Android", "DCIM", "Download", "Movies", "Music", "Pictures", "Podcasts", "Ringtones"]

  on back
    if level == 0
      finish
    else
      set level = level - 1
      set folder = "storage"
      set entries = ["Alarms", "Android", "DCIM", "Download", "Movies", "Music", "Pictures", "Podcasts", "Ringtones"]

  screen files "{folder}"
    list entries id=entries
      on tap
        if item == "words.csv"
          open ImportActivity
        else
          set level = level + 1
          set folder = item
          if item == "Android"
            set entries = ["data", "media", "obb", "storage"]
          else if item == "data"
            set entries = ["cache", "code", "databases", "export", "files", "lib", "storage"]
          else if item == "export"
            set entries = ["old", "readme", "storage", "tmp", "words.csv", "zip"]
          else if item == "DCIM" or item == "Pictures" or item == "Movies"
            set entries = ["Camera", "Screenshots", "storage"]
          else if item == "storage"
            set entries = ["Alarms", "Android", "DCIM", "Download", "Movies", "Music", "Pictures", "Podcasts", "Ringtones"]
          else
            set entries = ["emulated", "self", "legacy", "usb", "storage"]
      label "{item}" height=170

activity ImportActivity
  var name text = ""
  var author text = ""
  var language text = ""
  var notes text = ""
  var separator int = 1
  var header bool
  var both_ways bool
  var pictures bool
  var sounds bool
  var order int = 1
  var reminder bool = true
  var complaint text = ""

  on back
    dialog discard

  screen form "Import words.csv" scrolls
    label "{complaint}" id=complaint
    field name id=name hint="Name of the deck"
    field author id=author hint="Author"
    field language id=language hint="Language"
    field notes id=notes hint="Notes" height=500
    label "Columns are separated by"
    radio separator "Comma" = 1 id=comma
    radio separator "Semicolon" = 2 id=semicolon
    radio separator "Tab" = 3 id=tab
    check header "The first line is a heading" id=header
    check both_ways "Ask both ways" id=both_ways
    check pictures "Look for pictures" id=pictures
    check sounds "Look for sounds" id=sounds
    image "A sample card" height=700
    label "Order of the cards"
    radio order "As in the file" = 1 id=as_is
    radio order "Shuffled" = 2 id=shuffled
    switch reminder "Remind me daily" id=reminder
    label "Cards can be changed later."
    button "Create deck" id=create
      on tap
        if len(name) > 0
          push decks name
          set deck = name
          set imported = true
          open ReviewActivity
        else
          set complaint = "A deck needs a name."

  dialog discard "Discard this import?" fixed
    button "Keep" id=keep
      on tap
        close
    button "Discard" id=discard
      on tap
        finish

activity ReviewActivity
  var answer bool

  screen review "{deck}"
    label "What is this in English?" id=question
    label "It was on the tip of your tongue." id=answer if=answer
    button "Show the answer" id=show if=not answer
      on tap
        if imported
          crash java.lang.ArrayIndexOutOfBoundsException "length={len(decks)}; index=-1" cause java.lang.NumberFormatException
            at org.retap.flashcards.CardReader.column(CardReader.java:88)
            at org.retap.flashcards.ReviewActivity.showAnswer(ReviewActivity.java:131)
            at android.view.View.performClick(View.java:7448)
        else
          set answer = true
          set reviewed = reviewed + 1
    row if=answer
      button "Again" id=again
        on tap
          set answer = false
      button "Good" id=good
        on tap
          set answer = false
