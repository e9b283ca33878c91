//! The same request, handed in by many clients at once and again after a power cut, is one task.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::calls::{Calls, request, runtime};
use artoo_testing::{Home, wait_until};

const SUBMITS: usize = 1_000;
const KEYS: usize = 100;
const CLIENTS: usize = 16;

/// Hands everything in from all clients and returns what each key was answered with. The power fails when so many
/// answers are there.
fn hand_in(home: &mut Home, power_cut_at: Option<usize>) -> Vec<(String, String, bool)> {
    let runtime = runtime();
    let answered = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (answered, root) = (Arc::clone(&answered), home.root().to_owned());
            let mut calls = Calls::new(&home.socket());
            runtime.spawn(async move {
                let mut answers = Vec::new();
                for number in (client..SUBMITS).step_by(CLIENTS) {
                    // Neighbours ask for the same key at about the same time, and each key comes back later.
                    let key = format!("key {}", (number / 2) % KEYS);
                    let accepted = calls.submit(&request(&root, &key, "what is 2 + 2")).await;
                    answered.fetch_add(1, Ordering::SeqCst);
                    answers.push((key, accepted.task_id, accepted.already_known));
                }
                answers
            })
        })
        .collect();
    if let Some(at) = power_cut_at {
        wait_until("enough is answered", || answered.load(Ordering::SeqCst) >= at);
        home.kill();
        home.start();
    }
    let answers = clients.into_iter().map(|client| runtime.block_on(client).expect("no client fails"));
    answers.flatten().collect()
}

fn check(home: &mut Home, power_cut_at: Option<usize>) {
    let answers = hand_in(home, power_cut_at);
    assert_eq!(answers.len(), SUBMITS);
    let mut by_key: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut new: BTreeMap<&str, usize> = BTreeMap::new();
    for (key, task_id, already_known) in &answers {
        by_key.entry(key).or_default().insert(task_id);
        *new.entry(key).or_default() += usize::from(!already_known);
    }
    assert_eq!(by_key.len(), KEYS);
    for (key, tasks) in &by_key {
        assert_eq!(tasks.len(), 1, "{key} has several tasks: {tasks:?}");
        // An answer that the power cut swallowed may have been the one that said "new".
        let most = if power_cut_at.is_some() { 0..=1 } else { 1..=1 };
        assert!(most.contains(&new[key]), "{key} was new {} times", new[key]);
    }
    let told: BTreeSet<&str> = by_key.values().flatten().copied().collect();
    let tasks = runtime().block_on(Calls::new(&home.socket()).tasks());
    let listed: BTreeSet<&str> = tasks.iter().map(|task| task.task_id.as_str()).collect();
    assert_eq!((tasks.len(), &listed), (KEYS, &told), "exactly the tasks that the clients were told of");
}

#[test]
fn a_thousand_requests_with_a_hundred_keys_are_a_hundred_tasks() {
    let mut home = Home::new();
    home.start();
    check(&mut home, None);
    // They are remembered beyond the life of the daemon.
    home.kill();
    home.start();
    let again = hand_in(&mut home, None);
    assert!(again.iter().all(|(_, _, already_known)| *already_known));
    let tasks = runtime().block_on(Calls::new(&home.socket()).tasks());
    assert_eq!(tasks.len(), KEYS);
}

/// Each row cuts the power at another moment: while keys are new, and while they come back.
#[test]
fn a_power_cut_among_them_loses_and_doubles_none() {
    for at in [1, 40, 150, 400] {
        let mut home = Home::new();
        home.start();
        check(&mut home, Some(at));
    }
}
