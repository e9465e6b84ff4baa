//! The screen: its size, how it is turned, whether the keyboard is up, how much was drawn.

use retap_trace::{Orientation, Size};

/// The screen as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Display {
    /// Its size as it is held, where it is told.
    pub size: Option<Size>,
    /// How it is turned, in quarters, where it is told.
    pub rotation: Option<u8>,
}

impl Display {
    /// How the device is held: by the size where it is told, for some devices are wide by nature.
    pub fn orientation(&self) -> Orientation {
        let wide = match (self.size, self.rotation) {
            (Some(size), _) => size.width > size.height,
            (None, Some(rotation)) => rotation % 2 == 1,
            (None, None) => false,
        };
        if wide { Orientation::Landscape } else { Orientation::Portrait }
    }
}

/// Reads `dumpsys window displays`, `dumpsys display` or `dumpsys input`.
pub fn display(text: &str) -> Display {
    const WORDS: [&str; 5] =
        ["mCurrentRotation=", "SurfaceOrientation:", "mRotation=", "mDisplayRotation=", "rotation="];
    let size = text.split_whitespace().find_map(|word| size(word.strip_prefix("cur=")?));
    let rotation = WORDS
        .iter()
        .find_map(|word| text.match_indices(word).find_map(|(at, _)| rotation(&text[at + word.len()..])));
    Display { size, rotation }
}

/// `wm size`: the size that was set, else that of the panel.
pub fn screen_size(text: &str) -> Option<Size> {
    told(text, "size").and_then(size)
}

/// `wm density`: the density that was set, else that of the panel.
pub fn density(text: &str) -> Option<u32> {
    told(text, "density")?.parse().ok().filter(|density| (1..100_000).contains(density))
}

/// Whether the soft keyboard is up, from `dumpsys input_method`.
pub fn keyboard_shown(text: &str) -> bool {
    match text.find("mInputShown=") {
        Some(at) => text[at..].starts_with("mInputShown=true"),
        None => text.contains("mIsInputViewShown=true"),
    }
}

/// How many frames an app has drawn, from `dumpsys gfxinfo`. It stands still while nothing moves.
pub fn frames_drawn(text: &str) -> Option<u64> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("Total frames rendered:"));
    let counts: Vec<u64> = lines.filter_map(|count| count.trim().parse().ok()).collect();
    (!counts.is_empty()).then(|| counts.iter().fold(0, |sum: u64, count| sum.saturating_add(*count)))
}

/// `Override size: 720x1280` before `Physical size: 1080x1920`.
fn told<'t>(text: &'t str, what: &str) -> Option<&'t str> {
    ["Override", "Physical"].iter().find_map(|whose| {
        text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == format!("{whose} {what}")).then(|| value.trim())
        })
    })
}

fn size(text: &str) -> Option<Size> {
    let text = text.trim_end_matches([',', ';', ')', '}']);
    let (width, height) = text.split_once('x')?;
    let side = |text: &str| text.parse::<u32>().ok().filter(|side| (1..100_000).contains(side));
    Some(Size { width: side(width)?, height: side(height)? })
}

/// `1`, `ROTATION_90`, ` 1`
fn rotation(text: &str) -> Option<u8> {
    let word = text.trim_start().split(|char: char| !char.is_ascii_alphanumeric() && char != '_').next()?;
    match word {
        "0" | "ROTATION_0" => Some(0),
        "1" | "ROTATION_90" | "90" => Some(1),
        "2" | "ROTATION_180" | "180" => Some(2),
        "3" | "ROTATION_270" | "270" => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_that_was_set_counts() {
        let wanted = |width, height| Some(Size { width, height });
        assert_eq!(screen_size("Physical size: 1080x1920\n"), wanted(1080, 1920));
        assert_eq!(screen_size("Physical size: 1080x1920\r\nOverride size: 720x1280\r\n"), wanted(720, 1280));
        assert_eq!(density("Physical density: 420\nOverride density: 320\n"), Some(320));
        for wrong in
            ["", "wm: not found", "Physical size: x", "Physical size: 0x10", "Physical size: 99999999x1"]
        {
            assert_eq!(screen_size(wrong), None, "{wrong}");
        }
        assert_eq!(density("Physical density: none"), None);
    }

    #[test]
    fn turned_screens_are_wide() {
        let turned =
            display("  init=1080x1920 420dpi cur=1920x1080 app=1794x1080\n  mCurrentRotation=ROTATION_90");
        assert_eq!(turned, Display { size: Some(Size { width: 1920, height: 1080 }), rotation: Some(1) });
        assert_eq!(turned.orientation(), Orientation::Landscape);
        assert_eq!(display("mRotation=0 mAltOrientation=false").rotation, Some(0));
        assert_eq!(display("    SurfaceOrientation: 3\n").orientation(), Orientation::Landscape);
        assert_eq!(display("mRotation=null rotation=90").rotation, Some(1));
        assert_eq!(display("nothing").orientation(), Orientation::Portrait);
    }

    #[test]
    fn the_keyboard_is_up_or_not() {
        assert!(keyboard_shown("  mShowRequested=true mInputShown=true\n"));
        assert!(!keyboard_shown("  mInputShown=false\n mIsInputViewShown=true"));
        assert!(keyboard_shown("mIsInputViewShown=true"));
        assert!(!keyboard_shown(""));
    }

    #[test]
    fn frames_are_counted_over_all_windows() {
        assert_eq!(frames_drawn("Total frames rendered: 12\nx\n  Total frames rendered: 30\n"), Some(42));
        assert_eq!(frames_drawn("No process found for: com.example"), None);
    }
}
