//! `df`: how much room there is.

/// The free bytes of the first file system that is listed. Old versions print sizes such as `1.2G`, new ones blocks.
pub fn free_space(text: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let head: Vec<&str> = lines.next()?.split_whitespace().collect();
    let column = head.iter().position(|word| matches!(*word, "Available" | "Avail" | "Free"))?;
    let block = if head.iter().any(|word| word.starts_with("1K-blocks")) { 1024 } else { 1 };
    // A long device name may stand on a line of its own.
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    size(words.get(column)?, block)
}

/// `12345`, `1.2G`, `300M`
fn size(text: &str, block: u64) -> Option<u64> {
    let unit = match text.chars().last()? {
        'K' | 'k' => 1 << 10,
        'M' => 1 << 20,
        'G' => 1 << 30,
        'T' => 1 << 40,
        _ => return text.parse::<u64>().ok()?.checked_mul(block),
    };
    let (whole, tenths) = text[..text.len() - 1].split_once('.').unwrap_or((&text[..text.len() - 1], "0"));
    let (whole, tenth) = (whole.parse::<u64>().ok()?, tenths.get(..1)?.parse::<u64>().ok()?);
    whole.checked_mul(unit)?.checked_add(tenth * (unit / 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tables_are_read() {
        let new = "Filesystem      1K-blocks    Used Available Use% Mounted on\n/dev/block/dm-0   6082144 1517072   4548688  26% /data\n";
        assert_eq!(free_space(new), Some(4_548_688 * 1024));
        let old = "Filesystem               Size     Used     Free   Blksize\n/data                  541.3M   300.0M   241.3M   4096\n";
        assert_eq!(free_space(old), Some(241 * (1 << 20) + 3 * ((1 << 20) / 10)));
        let long =
            "Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/a/long/name\n 10 5 4 50% /data\n";
        assert_eq!(free_space(long), Some(4096));
        for text in [
            "",
            "df: /data: Permission denied",
            "Filesystem Available\n",
            "Filesystem Available\n/x é\n",
            "Free\n99999999999T\n",
        ] {
            assert_eq!(free_space(text), None, "{text}");
        }
    }
}
