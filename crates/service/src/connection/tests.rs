use tokio::sync::oneshot::error::TryRecvError;

use super::*;

fn calls(seats: &Seats, caller: &Caller) -> Option<usize> {
    let seating = seats.seating();
    seating.taken.iter().find(|(number, _)| *number == caller.seat.number).map(|(_, sitting)| sitting.calls)
}

fn sit(seats: &Seats) -> (Caller, oneshot::Receiver<()>) {
    let (seat, ends) = seats.take();
    (Caller { peer: Peer { pid: None, is_own_child: false }, seat }, ends)
}

#[test]
fn whoever_was_idle_for_longest_gives_way_and_nobody_with_a_call_does() {
    let seats = Seats::default();
    let mut all: Vec<_> = (0..MAX_CONNECTIONS).map(|_| sit(&seats)).collect();
    let at_work = all[0].0.call();
    // It is idle again, but has not been for as long as the next one.
    drop(all[1].0.call());
    assert_eq!((calls(&seats, &all[0].0), calls(&seats, &all[1].0)), (Some(1), Some(0)));

    let newcomer = sit(&seats);
    let is_over =
        |ends: &mut oneshot::Receiver<()>| ends.try_recv().is_err_and(|why| why == TryRecvError::Closed);
    let mut ended = Vec::new();
    for (place, (_, ends)) in all.iter_mut().enumerate() {
        if is_over(ends) {
            ended.push(place);
        }
    }
    assert_eq!(ended, [2], "the first has a call, the second had one later");
    assert_eq!(seats.seating().taken.len(), MAX_CONNECTIONS);

    drop((at_work, newcomer, all));
    assert_eq!(seats.seating().taken.len(), 0, "a seat is free when nobody holds it");
}
