//! `pm list permissions -d -g`: the permissions that users are asked for.

/// Reads their names.
pub fn dangerous_permissions(text: &str) -> Vec<String> {
    const MOST: usize = 10_000;
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("permission:"));
    names.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_below_their_groups() {
        let text = "Dangerous Permissions:\n\ngroup:android.permission-group.CAMERA\n  permission:android.permission.CAMERA\n\n\
                    ungrouped:\n  permission:com.x.Y\n  permission:\n";
        assert_eq!(dangerous_permissions(text), ["android.permission.CAMERA", "com.x.Y"]);
    }
}
