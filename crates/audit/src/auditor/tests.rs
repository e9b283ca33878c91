mod acceptance;
mod detections;
mod findings;
mod reports;
