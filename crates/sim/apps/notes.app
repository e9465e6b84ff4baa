# A note-taking app with six seeded bugs. Each is marked `Bug`, with the events that reach it from a launched app.
#
# Screens follow three rules, so that an event that is not needed can always be left out of a trace:
# - `New note` stands at the same place on every screen, and means the same there;
# - the back key leads from every activity to the list, and means nothing to the list and to the editor;
# - whatever opens a dialog, a menu or another app stands in the lowest quarter of a screen, away from all buttons
#   that close one.
# Only a finger opens things: screens ignore the dpad's centre and the enter key. Dialogs and menus do not.
app notes "Notes"
package org.retap.notes

knob flaky = 0.7 probability

permission android.permission.CAMERA

kept notes list = ["Shopping list", "Meeting on Monday", "Books to read", "Holiday plans", "Recipe for pancakes"]
kept archived list = ["Old address"]
kept trash list
kept tags list = ["home", "work", "ideas"]
kept recent list
kept unsynced list
kept dark bool
kept auto_sync bool = true
kept confirm_delete bool = true
kept text_size text = "Normal"
kept account text
kept merged bool
kept synced int
kept power_saver bool

var current text
var current_index int
var is_new bool
var capturing bool
var decoding bool
var picking_size bool
var status text = "All changes saved"

on start
  start background_sync
  log info Notes "{len(notes)} notes, {len(archived)} archived"

timer background_sync every 60s
  if auto_sync and account != "" and online and not power_saver
    set synced = synced + 1

on system "android.net.conn.CONNECTIVITY_CHANGE"
  if online
    set status = "All changes saved"
  else
    set status = "Working offline"

on system "android.intent.action.BATTERY_OKAY"
  set power_saver = false
  start background_sync

on system "android.intent.action.BATTERY_LOW"
  set power_saver = true
  stop background_sync
  # Bug thumbnail: tap a note, tap 'Attach photo', tap 'Allow', tap 'Done', battery low.
  if decoding
    native SIGSEGV "null pointer dereference while decoding a photo of '{current}'"
      at pc 000000000004a1c8  /data/app/org.retap.notes-1/lib/arm64/libthumbs.so (thumb_scale_row+88)
      at pc 000000000004b0f4  /data/app/org.retap.notes-1/lib/arm64/libthumbs.so (thumb_decode+1196)
      at pc 0000000000021d60  /data/app/org.retap.notes-1/lib/arm64/libthumbs.so (Java_org_retap_notes_Thumbs_resume+72)
      at pc 000000000013ced4  /apex/com.android.art/lib64/libart.so (art_quick_generic_jni_trampoline+148)

activity MainActivity
  on back
    log info Notes "press home to leave"
  on menu
    show drawer
  on key dpad_center
    nothing
  on key enter
    nothing

  screen list "Notes ({len(notes)})"
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        open EditorActivity
    row id=bar
      button "Menu" id=menu
        on tap
          show drawer
      button "Search" id=search
        on tap
          open SearchActivity
      button "Archive" id=archive
        on tap
          open ArchiveActivity
      button "Settings" id=settings
        on tap
          open SettingsActivity
    label "{status}" id=status
    list notes id=notes
      label "{item}" id=note height=150
        on tap
          set current = item
          set current_index = index
          open NoteActivity
        on swipe left
          push archived item
          remove notes index
        on swipe right
          push trash item
          remove notes index

  screen drawer "Menu"
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        show list
        open EditorActivity
    button "All notes" id=all
      on tap
        show list
    button "Tags ({len(tags)})" id=tags
      on tap
        show list
        open TagsActivity
    button "Account" id=account
      on tap
        show list
        open AccountActivity
    button "Close menu" id=close
      on tap
        show list
    image "Notes" height=556
    button "Help" id=help
      on tap
        show list
        leave browser

activity EditorActivity
  var title text
  var body text
  var tag text
  var chosen list
  var unnamed bool
  on create
    if not is_new
      set title = current
  on back
    log info Editor "save or discard the note first"
  on key dpad_center
    nothing
  on key enter
    nothing

  screen edit "Editor"
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        open EditorActivity
        finish
    field title id=title hint="Title"
    field body id=body hint="Write something" height=560
    button "Tags" id=tags
      on tap
        show tags
    row
      button "Save" id=save
        on tap
          if title == ""
            log info Editor "an empty note is not kept"
          else if is_new
            push notes title
            push unsynced title
            set current = title
            set current_index = len(notes) - 1
            open NoteActivity
          else
            remove notes current_index
            push notes title
          finish
      button "Discard" id=discard
        on tap
          finish

  screen tags "Tags of this note"
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        open EditorActivity
        finish
    field tag id=tag hint="Name of the tag"
    button "Add tag" id=add_tag
      on tap
        if tag == ""
          set unnamed = true
        else
          push chosen tag
          clear tag
    button "Done" id=done
      on tap
        # Bug unnamed-tag: tap 'New note', tap 'Tags', tap 'Add tag', tap 'Done'.
        if unnamed and is_new
          crash java.lang.IllegalStateException "tag {len(chosen)} of the new note '{title}' has no name"
            at org.retap.notes.EditorActivity.addTag(EditorActivity.java:88)
            at org.retap.notes.EditorActivity.applyTags(EditorActivity.java:131)
            at org.retap.notes.EditorActivity.onTagsDone(EditorActivity.java:117)
            at android.view.View.performClick(View.java:7448)
            at android.view.View$PerformClick.run(View.java:28309)
            at android.os.Handler.handleCallback(Handler.java:938)
            at android.os.Looper.loop(Looper.java:223)
            at android.app.ActivityThread.main(ActivityThread.java:7656)
        show edit
    label "Chosen: {chosen}" id=chosen
    list tags id=known
      label "{item}" id=known_tag
        on tap
          if not chosen has item
            push chosen item

activity NoteActivity
  on resume
    if capturing
      set decoding = true
  on pause
    set decoding = false
  on key dpad_center
    nothing
  on key enter
    nothing

  screen note "{current}"
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        open EditorActivity
        finish
    label "{status}" id=status
    label "{current}, in {text_size} letters" id=text height=560
    row
      button "Edit" id=edit
        on tap
          set is_new = false
          open EditorActivity
          finish
      button "Archive" id=archive
        on tap
          push archived current
          remove notes current_index
          finish
    image "Attachments" id=attachments height=340
    row
      button "Attach photo" id=attach
        on tap
          ask CAMERA
            granted
              set capturing = true
              leave camera
            denied
              log warn Notes "no photo without the camera"
      button "Share" id=share
        on tap
          leave share
    button "Delete" id=delete
      on tap
        if confirm_delete
          dialog sure
        else
          push trash current
          remove notes current_index
          finish

  dialog sure "Delete this note?" fixed
    label "'{current}' goes to the trash." id=message
    row
      button "Cancel" id=cancel
        on tap
          close
      button "Delete" id=ok
        on tap
          push trash current
          remove notes current_index
          close
          finish

activity SearchActivity
  var query text
  on key dpad_center
    nothing
  on key enter
    nothing

  screen search "Search"
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        open EditorActivity
        finish
    field query id=query hint="Search your notes"
    button "Last search" id=last
      on tap
        if len(recent) > 0
          set query = recent[len(recent) - 1]
      on long tap
        # Bug empty-history: tap 'Search', long tap 'Last search'.
        if len(recent) == 0
          crash java.lang.IndexOutOfBoundsException "Index: -1, Size: {len(recent)}, query '{query}'"
            at java.util.ArrayList.remove(ArrayList.java:503)
            at org.retap.notes.search.History.forgetLast(History.java:57)
            at org.retap.notes.SearchActivity.onLongClick(SearchActivity.java:102)
            at android.view.View.performLongClickInternal(View.java:7471)
            at android.view.View.performLongClick(View.java:7429)
            at android.view.View$CheckForLongPress.run(View.java:28274)
            at android.os.Looper.loop(Looper.java:223)
            at android.app.ActivityThread.main(ActivityThread.java:7656)
        remove recent len(recent) - 1
    list notes id=results
      label "{item}" id=result if=item has query
        on tap
          push recent query
          set current = item
          set current_index = index
          open NoteActivity
          finish

activity TagsActivity
  var name text
  on key dpad_center
    nothing
  on key enter
    nothing

  screen tags "Tags"
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        open EditorActivity
        finish
    list tags id=tags height=1164
      label "{item}" id=tag
        on swipe left
          remove tags index
    button "Add tag" id=add
      on tap
        clear name
        dialog create

  dialog create "New tag" fixed
    field name id=name hint="Name"
    row
      button "Cancel" id=cancel
        on tap
          close
      button "Create" id=ok
        on tap
          if name != "" and not tags has name
            push tags name
          close

activity ArchiveActivity
  var chosen text
  var chosen_index int
  var restored bool
  on menu
    nothing
  on key dpad_center
    nothing
  on key enter
    nothing

  screen archive "Archive"
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        open EditorActivity
        finish
    list archived id=archived height=600
      label "{item}" id=note
        on tap
          log info Archive "hold '{item}' to choose it"
        on long tap
          set chosen = item
          set chosen_index = index
          set restored = false
          show archived_note
    label "Trash ({len(trash)})" id=in_trash
    list trash id=trash height=460
      label "{item}" id=thrown_away
        on swipe right
          push notes item
          remove trash index
    button "More" id=more at=24,1400,240,1520
      on tap
        menu more

  screen archived_note "{chosen}"
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        open EditorActivity
        finish
    button "Restore" id=restore if=not restored
      on tap
        remove archived chosen_index
        push notes chosen
        set restored = true
    button "Undo" id=undo if=restored
      on tap
        # Bug undo-restore: tap 'New note', type a title, tap 'Save', tap 'Archive', tap 'Archive', long tap the
        # note, tap 'Restore', tap 'Undo', then any touch or key.
        if unsynced has chosen
          hang "Input dispatching timed out (ArchiveActivity waits for the id of '{chosen}')"
            at java.lang.Object.wait(Object.java:442)
            at org.retap.notes.store.NoteStore.awaitId(NoteStore.java:310)
            at org.retap.notes.store.NoteStore.archive(NoteStore.java:204)
            at org.retap.notes.ArchiveActivity.undoRestore(ArchiveActivity.java:97)
            at android.view.View.performClick(View.java:7448)
            at android.os.Looper.loop(Looper.java:223)
            at android.app.ActivityThread.main(ActivityThread.java:7656)
        remove notes len(notes) - 1
        push archived chosen
        show archive
    button "Delete forever" id=delete enabled=not restored
      on tap
        remove archived chosen_index
        show archive

  menu more
    item "Restore the oldest" id=restore_oldest
      on tap
        if len(archived) > 0
          push notes archived[0]
          remove archived 0
    item "Empty trash" id=empty
      on tap
        clear trash

activity SettingsActivity
  on create
    # Bug leaked-dialog: tap 'Settings', tap 'Text size', rotate. The stack has no frame of the app.
    if picking_size
      crash java.lang.IllegalArgumentException "View=DecorView@{len(text_size)}f2c1a[SettingsActivity] not attached to window manager"
        at android.view.WindowManagerGlobal.findViewLocked(WindowManagerGlobal.java:544)
        at android.view.WindowManagerGlobal.removeView(WindowManagerGlobal.java:448)
        at android.view.WindowManagerImpl.removeViewImmediate(WindowManagerImpl.java:139)
        at android.app.Dialog.dismissDialog(Dialog.java:405)
        at android.app.Activity.performDestroy(Activity.java:8245)
        at android.app.ActivityThread.performDestroyActivity(ActivityThread.java:5093)
        at android.app.ActivityThread.handleRelaunchActivityInner(ActivityThread.java:5421)
        at android.os.Looper.loop(Looper.java:223)
        at android.app.ActivityThread.main(ActivityThread.java:7656)
  on key dpad_center
    nothing
  on key enter
    nothing

  screen settings "Settings" scrolls
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        open EditorActivity
        finish
    switch dark "Dark theme" id=dark
    switch auto_sync "Sync by itself" id=auto_sync
      on change
        if auto_sync
          start background_sync
        else
          stop background_sync
    switch confirm_delete "Ask before deleting" id=confirm_delete
    image "The quick brown fox in {text_size} letters" id=preview height=740
    button "Text size: {text_size}" id=text_size
      on tap
        set picking_size = true
        dialog size
    button "Phone settings" id=phone
      on tap
        leave settings

  dialog size "Text size" fixed
    radio text_size "Small" = "Small" id=small
    radio text_size "Normal" = "Normal" id=normal
    radio text_size "Large" = "Large" id=large
    button "OK" id=ok
      on tap
        set picking_size = false
        close

activity AccountActivity
  var email text
  var password text
  var conflict bool
  var message text = "Sign in to keep your notes on all your devices."
  on create
    if account != ""
      show profile
  on key dpad_center
    nothing
  on key enter
    nothing

  screen login "Account"
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        open EditorActivity
        finish
    field email id=email hint="E-mail"
    field password id=password hint="Password" password if=email has "@"
    button "Sign in" id=sign_in
      on tap
        if password == ""
          set message = "Give your e-mail address and your password."
        else
          fetch 600ms
            reply
              set account = email
              show profile
            error
              set message = "No connection. Try again later."
    label "{message}" id=message

  screen profile "{account}"
    button "New note" id=new at=744,84,1056,189
      on tap
        set is_new = true
        open EditorActivity
        finish
    label "Synced {synced} times, {len(unsynced)} notes to go" id=state
    button "Sync now" id=sync
      on tap
        fetch 800ms
          reply
            set synced = synced + 1
            clear unsynced
            set conflict = not merged
          error
            set status = "Working offline"
    button "Sign out" id=sign_out
      on tap
        clear account
        show login
    label "'Shopping list' was changed on another device." id=conflict if=conflict
    button "Keep both" id=both if=conflict
      on tap
        # Bug sync-conflict, at times only: tap 'Menu', tap 'Account', type an e-mail address, type a password,
        # tap 'Sign in', tap 'Sync now', tap 'Keep both'.
        chance flaky
          crash java.util.ConcurrentModificationException "while merging {len(notes)} notes of {account}"
            at java.util.ArrayList$Itr.checkForComodification(ArrayList.java:1111)
            at java.util.ArrayList$Itr.next(ArrayList.java:1064)
            at org.retap.notes.sync.Merger.keepBoth(Merger.java:212)
            at org.retap.notes.AccountActivity.resolve(AccountActivity.java:164)
            at android.view.View.performClick(View.java:7448)
            at android.os.Looper.loop(Looper.java:223)
            at android.app.ActivityThread.main(ActivityThread.java:7656)
        push notes "Shopping list (2)"
        set merged = true
        set conflict = false
    button "Keep this one" id=mine if=conflict
      on tap
        set merged = true
        set conflict = false
