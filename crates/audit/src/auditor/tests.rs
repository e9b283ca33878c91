mod detections;
mod reports;
