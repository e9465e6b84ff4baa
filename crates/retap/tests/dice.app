# A button that crashes the app every other time.
app dice "Dice"
package org.retap.dice

activity MainActivity
  screen main "Dice"
    button "Roll" id=roll
      on tap
        chance 0.5
          crash java.lang.IllegalStateException "bad luck"
