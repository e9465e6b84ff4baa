//! The three tables of settings: `system`, `secure` and `global`.

use std::collections::BTreeMap;

pub(crate) const TABLES: [&str; 3] = ["system", "secure", "global"];

/// Settings of a table that are kept beyond those it began with.
const MOST: usize = 2_000;

/// All settings.
#[derive(Debug, Clone)]
pub(crate) struct Tables(BTreeMap<&'static str, BTreeMap<String, String>>);

const FRESH: [(&str, &str, &str); 13] = [
    ("system", "accelerometer_rotation", "0"),
    ("system", "user_rotation", "0"),
    ("secure", "default_input_method", "com.android.inputmethod.latin/.LatinIME"),
    ("secure", "enabled_input_methods", "com.android.inputmethod.latin/.LatinIME"),
    ("secure", "show_ime_with_hard_keyboard", "0"),
    ("global", "adb_enabled", "1"),
    ("global", "airplane_mode_on", "0"),
    ("global", "animator_duration_scale", "1.0"),
    ("global", "mobile_data", "1"),
    ("global", "stay_on_while_plugged_in", "3"),
    ("global", "transition_animation_scale", "1.0"),
    ("global", "wifi_on", "1"),
    ("global", "window_animation_scale", "1.0"),
];

impl Tables {
    pub(crate) fn fresh() -> Self {
        let mut tables: BTreeMap<&'static str, BTreeMap<String, String>> =
            TABLES.into_iter().map(|table| (table, BTreeMap::new())).collect();
        for (table, name, value) in FRESH {
            if let Some(table) = tables.get_mut(table) {
                table.insert(name.to_owned(), value.to_owned());
            }
        }
        Self(tables)
    }

    pub(crate) fn get(&self, table: &str, name: &str) -> Option<&str> {
        self.0.get(table)?.get(name).map(String::as_str)
    }

    /// Sets a value; a table that is full keeps its names.
    pub(crate) fn put(&mut self, table: &str, name: &str, value: &str) {
        if let Some(table) = self.0.get_mut(table)
            && (table.len() < MOST || table.contains_key(name))
        {
            table.insert(name.to_owned(), value.to_owned());
        }
    }

    pub(crate) fn delete(&mut self, table: &str, name: &str) -> bool {
        self.0.get_mut(table).is_some_and(|table| table.remove(name).is_some())
    }

    /// Names and values of a table.
    pub(crate) fn all(&self, table: &str) -> impl Iterator<Item = (&str, &str)> {
        let table = self.0.get(table).into_iter().flatten();
        table.map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
