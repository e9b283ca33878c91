//! Recurring tasks for the operator.

use std::path::Path;

use artoo_protocol::v1;
use artoo_runtime::schedules::{NewSchedule, Schedule, ScheduleError, new_id};
use artoo_schedule::MissedPolicy;
use artoo_types::Timestamp;
use artoo_types::limits::MAX_INPUT_BYTES;
use tonic::Status;

use super::service::{Calls, blocking};
use super::{convert, errors};

/// Next times of a schedule that are told.
const NEXT_TIMES: usize = 3;

/// Notes a recurring task down.
pub(super) async fn add_schedule(
    calls: &Calls,
    request: v1::AddScheduleRequest,
) -> Result<v1::AddScheduleResponse, Status> {
    let v1::AddScheduleRequest { when, input, working_directory, skip_missed, token: _ } = request;
    if input.trim().is_empty() {
        return Err(errors::invalid("input", "it is empty; say what artoo should do"));
    }
    if input.len() > MAX_INPUT_BYTES {
        return Err(errors::invalid("input", &format!("more than {MAX_INPUT_BYTES} bytes are not taken")));
    }
    let folder = Path::new(&working_directory);
    if !folder.is_absolute() || !folder.is_dir() {
        return Err(errors::invalid("working_directory", "it is no absolute path of a folder that exists"));
    }
    let missed = if skip_missed { MissedPolicy::Skip } else { MissedPolicy::RunOnce };
    let schedules = calls.parts.schedules.clone();
    blocking(move || {
        let new = NewSchedule { when, input, working_directory, missed };
        let added = schedules.add(new_id(), new).map_err(|error| of_schedule(&error))?;
        let listed = schedules.list(NEXT_TIMES).into_iter().find(|(schedule, _)| schedule.id == added.id);
        let (schedule, next) = listed.unwrap_or((added, Vec::new()));
        Ok(v1::AddScheduleResponse { schedule: Some(of(schedule, &next)) })
    })
    .await
}

/// All of them.
pub(super) async fn list_schedules(
    calls: &Calls,
    _request: v1::ListSchedulesRequest,
) -> Result<v1::ListSchedulesResponse, Status> {
    let schedules = calls.parts.schedules.list(NEXT_TIMES);
    let schedules = schedules.into_iter().map(|(schedule, next)| of(schedule, &next)).collect();
    Ok(v1::ListSchedulesResponse { schedules })
}

/// Takes one away.
pub(super) async fn remove_schedule(
    calls: &Calls,
    request: v1::RemoveScheduleRequest,
) -> Result<v1::RemoveScheduleResponse, Status> {
    let schedules = calls.parts.schedules.clone();
    blocking(move || {
        let removed = schedules.remove(&request.schedule_id).map_err(|error| of_schedule(&error))?;
        Ok(v1::RemoveScheduleResponse { schedule: Some(of(removed, &[])) })
    })
    .await
}

/// Runs one now.
pub(super) async fn run_schedule(
    calls: &Calls,
    request: v1::RunScheduleRequest,
) -> Result<v1::RunScheduleResponse, Status> {
    let parts = &calls.parts;
    let started = parts.schedules.run(&request.schedule_id, request.request_id, &parts.tasks).await;
    let task_id = started.map_err(|error| of_schedule(&error))?;
    Ok(v1::RunScheduleResponse { task_id: task_id.to_string() })
}

fn of(schedule: Schedule, next: &[Timestamp]) -> v1::Schedule {
    v1::Schedule {
        schedule_id: schedule.id,
        when: schedule.when,
        cron: schedule.cron,
        input: schedule.input,
        working_directory: schedule.working_directory,
        skip_missed: schedule.missed == MissedPolicy::Skip,
        next_at: next.iter().copied().map(convert::timestamp).collect(),
        last_task_id: schedule.last_task.map(|id| id.to_string()).unwrap_or_default(),
        last_problem: schedule.last_problem.unwrap_or_default(),
    }
}

fn of_schedule(error: &ScheduleError) -> Status {
    match error {
        ScheduleError::Pattern(rejected) => errors::invalid("when", &rejected.to_string()),
        ScheduleError::TooMany | ScheduleError::File { .. } => {
            errors::not_now("SCHEDULES", "schedules", &error.to_string())
        }
        ScheduleError::Unknown(id) => errors::not_found("schedule", id, &error.to_string()),
        ScheduleError::Task(error) => errors::of_task(error),
    }
}
