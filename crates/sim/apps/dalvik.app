# A system browser [SimplyDroid, figure 1].
#
# The front page lists pages about the device. A time zone that has a place on earth shows a link to the map;
# there is no map app, so the link crashes the app. The stack has no frame of the app in it.
app dalvik "Dalvik Explorer"
package org.retap.dalvik

activity DalvikExplorerActivity
  var pages list = ["Build", "Device", "Environment", "Locales", "Sensors", "Time zones"]

  screen pages "Dalvik Explorer"
    list pages id=list height=900
      on tap
        if item == "Build"
          open BuildActivity
        else if item == "Device"
          open DeviceActivity
        else if item == "Environment"
          open EnvironmentVariablesActivity
        else if item == "Locales"
          open LocalesActivity
        else if item == "Sensors"
          open SensorsActivity
        else
          open TimeZonesActivity
      label "{item}" height=150

activity BuildActivity
  var facts list = ["Brand: generic", "Display: sim-user 11", "Board: goldfish", "Tags: release-keys"]

  screen build "      Build"
    list facts id=facts
    button "‹" id=up at=0,63,160,210
      on tap
        finish

activity DeviceActivity
  var facts list = ["Screen: 1080 x 1920", "Density: 420 dpi", "Processors: 2", "Memory: 2 GB"]

  screen device "      Device"
    list facts id=facts
    button "‹" id=up at=0,63,160,210
      on tap
        finish

activity EnvironmentVariablesActivity
  var facts list = ["ANDROID_DATA=/data", "ANDROID_ROOT=/system", "PATH=/system/bin"]

  screen environment "      Environment"
    list facts id=facts
    button "‹" id=up at=0,63,160,210
      on tap
        finish

activity LocalesActivity
  var facts list = ["de", "en", "fr", "ja", "pt"]

  screen locales "      Locales"
    list facts id=facts
    button "‹" id=up at=0,63,160,210
      on tap
        finish

activity SensorsActivity
  var facts list = ["Accelerometer", "Light sensor"]

  screen sensors "      Sensors"
    list facts id=facts
    button "‹" id=up at=0,63,160,210
      on tap
        finish

# The zone that the page of a time zone shows.
var zone text = ""

activity TimeZonesActivity
  var zones list = ["Africa/Accra", "UTC", "Etc/GMT+1", "CET"]

  screen zones "      Time zones"
    list zones id=list height=640
      on tap
        set zone = item
        open TimeZoneActivity
      label "{item}" height=150
    button "‹" id=up at=0,63,160,210
      on tap
        finish

activity TimeZoneActivity
  screen zone "      {zone}"
    label "Raw offset: see below" id=offset
    label "No daylight saving time" id=daylight
    label "Accra: 5° 33' N, 0° 12' W" id=place if=zone has "/Accra" height=200
      on tap
        crash android.content.ActivityNotFoundException "No Activity found to handle Intent \{ act=android.intent.action.VIEW dat=geo:5.55,-0.2 \}"
          at android.app.Instrumentation.checkStartActivityResult(Instrumentation.java:2065)
          at android.app.Instrumentation.execStartActivity(Instrumentation.java:1727)
          at android.app.Activity.startActivityForResult(Activity.java:5320)
          at android.text.style.URLSpan.onClick(URLSpan.java:78)
          at android.text.method.LinkMovementMethod.onTouchEvent(LinkMovementMethod.java:221)
          at android.view.View.dispatchTouchEvent(View.java:14309)
    button "‹" id=up at=0,63,160,210
      on tap
        finish
