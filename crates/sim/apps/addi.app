# A calculator with scripts [ECHO, figure 2].
#
# The menu of the terminal leads to the scripts, and from there to an editor, the help, the settings and a list
# of functions. Loading a script from a file needs a file manager; the offer to get one crashes the app, because
# there is no app store either.
app addi "Addi"
package org.retap.addi

var degrees bool
var long_format bool
var history bool = true

activity TerminalActivity
  var line text = ""

  on menu
    menu main

  screen terminal "Addi"
    label "Addi 1.98, a calculator for matrices" id=welcome
    label "> " id=prompt
    field line id=line hint="Type a command"
    row
      button "Enter" id=enter
        on tap
          clear line
      button "Clear" id=clear
        on tap
          clear line

  menu main
    item "Scripts" id=menu_scripts
      on tap
        open ScriptsActivity
    item "Quit" id=menu_quit
      on tap
        exit

activity ScriptsActivity
  screen scripts "Scripts"
    button "New" id=new
      on tap
        open EditorActivity
    button "Functions" id=functions
      on tap
        open FunctionsActivity
    button "Help" id=help
      on tap
        open HelpActivity
    button "Settings" id=settings
      on tap
        open SettingsActivity
    button "About" id=about
      on tap
        dialog about
    button "Load from file" id=load
      on tap
        dialog manager

  dialog about "About"
    label "Addi 1.98"
    label "Matrices for everyone"
    button "OK" id=ok
      on tap
        close

  dialog manager "No file manager"
    label "A file manager is needed to load scripts."
    row
      button "Not now" id=not_now
        on tap
          close
      button "Get one" id=get
        on tap
          crash android.content.ActivityNotFoundException "No Activity found to handle Intent \{ act=android.intent.action.VIEW dat=market://search?q=manager \}"
            at android.app.Instrumentation.checkStartActivityResult(Instrumentation.java:2065)
            at android.app.Activity.startActivityForResult(Activity.java:5320)
            at org.retap.addi.ScriptsActivity.getFileManager(ScriptsActivity.java:212)
            at org.retap.addi.ScriptsActivity.onClick(ScriptsActivity.java:187)
            at android.view.View.performClick(View.java:7448)

activity EditorActivity
  var script text = ""

  screen editor "      New script"
    field script id=script hint="x = 1" height=400
    button "Run" id=run enabled=script has ";"
      on tap
        clear script
    button "‹" id=up at=0,63,160,210
      on tap
        finish

activity FunctionsActivity
  var functions list = ["abs", "acos", "asin", "atan", "ceil", "cos", "det", "diag", "eig", "exp", "eye", "find", "floor", "inv", "linspace", "log", "lu", "max", "mean", "min", "mod", "norm", "ones", "plot", "prod", "qr", "rand", "rank", "round", "sin", "size", "sort", "sqrt", "sum", "svd", "tan", "trace", "zeros"]

  screen functions "      Functions"
    list functions id=functions
    button "‹" id=up at=0,63,160,210
      on tap
        finish

activity HelpActivity
  var page int = 1

  screen help "      Help"
    label "Page {page} of 8" id=page
    image "A worked example" height=900
    row
      button "Previous" id=previous enabled=page > 1
        on tap
          set page = page - 1
      button "Next" id=next enabled=page < 8
        on tap
          set page = page + 1
    button "‹" id=up at=0,63,160,210
      on tap
        finish

activity SettingsActivity
  screen settings "      Settings"
    check degrees "Angles in degrees" id=degrees
    check long_format "Long format" id=long_format
    check history "Keep the history" id=history
    button "‹" id=up at=0,63,160,210
      on tap
        finish
