# Crashes when each step of every.trace.jsonl was done in its turn.
app every "Every step"
package org.example.every

var step int
var name text
var note text
var late bool

activity MainActivity
  screen main "Every {step}"
    button desc="More options" at=40,220,500,360
      on long tap
        if step == 0
          set step = 1
    button "It's \"new\"" at=560,220,1040,360
      on double tap
        if step == 1
          set step = 2
    button "C:\\temp" at=40,380,500,520
      on tap
        if step == 2
          set step = 3
    button "Again" at=560,380,760,520
      on tap
        set step = 0
    button "Again" at=780,380,1040,520
      on tap
        if step == 3
          set step = 4
    field name hint="Name" at=40,540,500,680
      on change
        if step == 4 and name == "it's \"grün\" $(x)"
          set step = 5
    field note id=note at=560,540,1040,680
      on change
        if step == 6 and note == "more"
          set step = 7
    button "Write" id=write at=40,700,500,840
      on tap
        if step == 5
          set step = 6
          focus note
    button "Slide" id=slide at=560,700,1040,840
      on swipe left
        if step == 7
          set step = 8
    button "Later" id=later at=40,860,500,1000
      on tap
        if step == 8
          set step = 9
          after 1500ms
            set late = true
    button "Done" id=done at=560,860,1040,1000
      on tap
        if step == 9 and late
          crash java.lang.IllegalStateException "every step was done"
