//! How the screen is fitted into the picture.

use retap_trace::{Rect, Size};

/// Pictures are never wider than this, whatever is asked for.
const WIDEST: u32 = 2048;
/// Pictures are never higher than this many times their greatest width.
const TALLEST: u64 = 3;
/// Places stay this near, so that sums of them never overflow.
const FAR: i64 = 1 << 16;
/// Length of the shorter side in density-independent pixels: that of a phone with 1080 pixels at 420 dpi.
const SHORT_SIDE_DP: i32 = 411;

/// The screen and the picture of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    screen: Size,
    picture: Size,
}

impl Frame {
    /// Fits the screen into a picture of at most this width; a smaller screen keeps its size.
    pub(super) fn fit(screen: Size, max_width: u32) -> Self {
        let screen = Size { width: screen.width.max(1), height: screen.height.max(1) };
        let (width, height) = (u64::from(screen.width), u64::from(screen.height));
        let widest = u64::from(max_width.clamp(1, WIDEST));
        let tallest = widest * TALLEST;
        let (fitted_width, fitted_height) = if width <= widest && height <= tallest {
            (width, height)
        } else if height * widest <= tallest * width {
            (widest, height * widest / width)
        } else {
            (width * tallest / height, tallest)
        };
        let side = |pixels: u64| u32::try_from(pixels.max(1)).expect("no more than the tallest");
        Self { screen, picture: Size { width: side(fitted_width), height: side(fitted_height) } }
    }

    pub(super) const fn picture(self) -> Size {
        self.picture
    }

    /// Where a rectangle of the screen is in the picture.
    pub(super) fn rect(self, on_screen: Rect) -> Rect {
        let (screen, picture) = (self.screen, self.picture);
        Rect::new(
            scaled(on_screen.left, picture.width, screen.width),
            scaled(on_screen.top, picture.height, screen.height),
            scaled(on_screen.right, picture.width, screen.width),
            scaled(on_screen.bottom, picture.height, screen.height),
        )
    }

    /// So many density-independent pixels in pixels of the picture; at least 1.
    pub(super) fn dp(self, dp: i32) -> i32 {
        let short = i32::try_from(self.picture.width.min(self.picture.height)).unwrap_or(i32::MAX);
        ((dp * short + SHORT_SIDE_DP / 2) / SHORT_SIDE_DP).max(1)
    }
}

fn scaled(at: i32, to: u32, from: u32) -> i32 {
    let near = (i64::from(at) * i64::from(to)).div_euclid(i64::from(from)).clamp(-FAR, FAR);
    i32::try_from(near).expect("clamped")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(width: u32, height: u32, max_width: u32) -> (u32, u32) {
        let picture = Frame::fit(Size { width, height }, max_width).picture();
        (picture.width, picture.height)
    }

    #[test]
    fn a_screen_keeps_its_proportions() {
        assert_eq!(fitted(1080, 1920, 540), (540, 960));
        assert_eq!(fitted(1920, 1080, 540), (540, 303));
        assert_eq!(fitted(320, 480, 540), (320, 480));
    }

    #[test]
    fn odd_screens_give_small_pictures() {
        assert_eq!(fitted(0, 0, 540), (1, 1));
        assert_eq!(fitted(1, u32::MAX, 540), (1, 1620));
        assert_eq!(fitted(u32::MAX, 1, 540), (540, 1));
        assert_eq!(fitted(u32::MAX, u32::MAX, u32::MAX), (2048, 2048));
    }

    #[test]
    fn places_far_away_stay_in_reach() {
        let frame = Frame::fit(Size { width: 1080, height: 1920 }, 540);
        let all = frame.rect(Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX));
        assert_eq!(all, Rect::new(-65_536, -65_536, 65_536, 65_536));
        assert_eq!(frame.rect(Rect::new(0, 0, 1080, 1920)), Rect::new(0, 0, 540, 960));
    }
}
