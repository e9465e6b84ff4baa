use super::*;
#[test]
fn stats() {
    let r: Recipe = std::env::var("RECIPE").unwrap_or_default().parse().unwrap();
    let mut backs = 0; let mut toggles = 0; let mut lens = vec![];
    for seed in 0..100 {
        let t = std::time::Instant::now();
        let g = generate(&Recipe { seed, ..r }).unwrap();
        let e = t.elapsed();
        if seed < 3 { eprintln!("{e:?} {} bytes, {} windows", g.text.len(), g.app.windows.len()); std::fs::write(format!("/tmp/gen{seed}.app"), &g.text).unwrap(); }
        for b in &g.known {
            lens.push((b.depth, b.length()));
            let s: Vec<String> = b.events.iter().map(|e| e.to_string()).collect();
            let s = s.join(", ");
            backs += usize::from(s.contains("press back"));
            toggles += usize::from(s.contains("settings_"));
            if seed < 3 { eprintln!("{} {}: {s}", b.depth, b.length()); }
        }
    }
    let n = lens.len();
    for d in 1..=9 { let v: Vec<usize> = lens.iter().filter(|l| l.0 == d).map(|l| l.1).collect(); if !v.is_empty() { eprintln!("depth {d}: n {} mean {:.1} max {}", v.len(), v.iter().sum::<usize>() as f64 / v.len() as f64, v.iter().max().unwrap()); } }
    eprintln!("{n} bugs, {backs} with back, {toggles} with settings");
}
