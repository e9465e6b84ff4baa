//! The words that generated apps are written with.

/// What apps are about.
pub(super) const NOUNS: [&str; 70] = [
    "Account", "Alarm", "Album", "Article", "Backup", "Bill", "Book", "Budget", "Card", "Channel", "Chat",
    "City", "Client", "Contact", "Coupon", "Course", "Deck", "Device", "Document", "Draft", "Episode",
    "Event", "Expense", "Feed", "Folder", "Friend", "Game", "Goal", "Group", "Habit", "Invoice", "Journal",
    "Label", "Lesson", "Map", "Meal", "Medal", "Message", "Movie", "Note", "Order", "Parcel", "Photo",
    "Plan", "Playlist", "Podcast", "Product", "Project", "Quiz", "Recipe", "Report", "Review", "Route",
    "Score", "Sensor", "Shop", "Song", "Station", "Story", "Tag", "Task", "Team", "Ticket", "Timer", "Track",
    "Trip", "Vehicle", "Video", "Wallet", "Workout",
];

/// What tells two screens about one thing apart.
pub(super) const QUALIFIERS: [&str; 12] = [
    "Recent",
    "Shared",
    "Archived",
    "Favourite",
    "Daily",
    "Private",
    "Public",
    "Old",
    "New",
    "Local",
    "Remote",
    "Weekly",
];

/// What an app with such a noun in its name is.
pub(super) const KINDS: [&str; 8] =
    ["Keeper", "Planner", "Manager", "Diary", "Tracker", "Pocket", "Central", "Buddy"];

/// What people do to things.
pub(super) const VERBS: [&str; 30] = [
    "Archive", "Copy", "Count", "Export", "Filter", "Flag", "Group", "Hide", "Import", "Lock", "Mark",
    "Merge", "Move", "Mute", "Pin", "Play", "Print", "Rate", "Repeat", "Scan", "Send", "Sort", "Split",
    "Star", "Stop", "Sync", "Trim", "Undo", "Unlock", "Zoom",
];

/// Buttons that nobody has got round to.
pub(super) const IDLE: [&str; 12] = [
    "Help", "Tips", "News", "About", "Legal", "Credits", "Feedback", "Donate", "Invite", "Upgrade", "Survey",
    "Badge",
];

/// What forms ask for.
pub(super) const FIELDS: [&str; 20] = [
    "Title", "Amount", "Place", "Date", "Owner", "Comment", "Number", "Street", "Phone", "Mail", "Price",
    "Weight", "Colour", "Size", "Length", "Reason", "Source", "Target", "Code", "Unit",
];

/// What forms want ticked.
pub(super) const BOXES: [&str; 6] = ["Agree", "Confirm", "Understood", "Adult", "Accept", "Certain"];

/// Switches that open ways.
pub(super) const MODES: [&str; 16] = [
    "Advanced", "Beta", "Cloud", "Compact", "Dark", "Detailed", "Expert", "Family", "Guest", "Labs",
    "Offline", "Pro", "Quick", "Secure", "Travel", "Work",
];

/// What lists hold.
pub(super) const ITEMS: [&str; 24] = [
    "Milk", "Tea", "Bread", "Rent", "Paris", "Lisbon", "Monday", "Birthday", "Dentist", "Passport",
    "Umbrella", "Guitar", "Chess", "Garden", "Bicycle", "Lamp", "Sofa", "Cinema", "Swimming", "Report",
    "Holiday", "Taxes", "Library", "Camera",
];

/// Texts that code is known to trip over.
pub(super) const TRICKY: [&str; 3] = ["0", "-1", "99999999999999999999"];

/// What can go wrong: the exception and what it says.
pub(super) const EXCEPTIONS: [(&str, &str); 10] = [
    ("java.lang.NullPointerException", "Attempt to invoke a virtual method on a null object reference"),
    ("java.lang.IllegalStateException", "Can not perform this action after onSaveInstanceState"),
    ("java.lang.IndexOutOfBoundsException", "Index: 3, Size: 3"),
    ("java.lang.ArithmeticException", "divide by zero"),
    ("java.lang.NumberFormatException", "For input string"),
    ("java.lang.ClassCastException", "java.lang.String cannot be cast to java.lang.Integer"),
    ("java.lang.IllegalArgumentException", "Unknown column"),
    ("java.util.ConcurrentModificationException", ""),
    ("android.content.ActivityNotFoundException", "No Activity found to handle Intent"),
    ("android.database.sqlite.SQLiteException", "no such table"),
];

/// What the system tells apps. None of these has a meaning of its own to the simulated device.
pub(super) const BROADCASTS: [&str; 12] = [
    "android.intent.action.BATTERY_LOW",
    "android.intent.action.BATTERY_OKAY",
    "android.intent.action.ACTION_POWER_CONNECTED",
    "android.intent.action.ACTION_POWER_DISCONNECTED",
    "android.intent.action.SCREEN_OFF",
    "android.intent.action.USER_PRESENT",
    "android.intent.action.TIMEZONE_CHANGED",
    "android.intent.action.LOCALE_CHANGED",
    "android.intent.action.HEADSET_PLUG",
    "android.intent.action.MEDIA_UNMOUNTED",
    "android.intent.action.DEVICE_STORAGE_LOW",
    "android.intent.action.DATE_CHANGED",
];

/// `TripList2` as resource ids write it: `trip_list2`.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for (place, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && place > 0 {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// `TripList2` as people read it: `Trip list 2`.
pub(super) fn spoken(name: &str) -> String {
    let mut spoken = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for (place, letter) in name.char_indices() {
        let starts = letter.is_ascii_uppercase() || (letter.is_ascii_digit() && !before.is_ascii_digit());
        if starts && place > 0 {
            spoken.push(' ');
        }
        spoken.push(if place > 0 { letter.to_ascii_lowercase() } else { letter });
        before = letter;
    }
    spoken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_three_ways() {
        assert_eq!(
            (snake("RecentTripList12"), spoken("RecentTripList12")),
            ("recent_trip_list12".to_owned(), "Recent trip list 12".to_owned())
        );
    }
}
