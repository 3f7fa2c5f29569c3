/** Metrics of a worker that the dashboard and the alerts read. Temporal's core exports them; times are milliseconds. */
type WorkerMetric = {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly says: string
  readonly by: string
  /** Exported only after something went wrong, or a queue other than `main` had work. */
  readonly isSeldom?: true
}

export const WORKER_METRICS: readonly WorkerMetric[] = [
  { name: 'temporal_worker_start', kind: 'counter', says: 'Workers that started', by: 'task_queue' },
  { name: 'temporal_num_pollers', kind: 'gauge', says: 'Pollers of workers', by: 'poller_type' },
  { name: 'temporal_worker_task_slots_available', kind: 'gauge', says: 'Free slots', by: 'worker_type, task_queue' },
  { name: 'temporal_worker_task_slots_used', kind: 'gauge', says: 'Used slots', by: 'worker_type, task_queue' },
  { name: 'temporal_sticky_cache_size', kind: 'gauge', says: 'Runs in the cache', by: 'task_queue' },
  {
    name: 'temporal_sticky_cache_total_forced_eviction',
    kind: 'counter',
    says: 'Evictions from the cache',
    by: 'task_queue',
    isSeldom: true,
  },
  {
    name: 'temporal_workflow_task_schedule_to_start_latency',
    kind: 'histogram',
    says: 'Wait of workflow tasks for a worker, ms',
    by: 'task_queue',
  },
  {
    name: 'temporal_workflow_task_execution_failed',
    kind: 'counter',
    says: 'Failed workflow tasks',
    by: 'workflow_type',
    isSeldom: true,
  },
  {
    name: 'temporal_local_activity_execution_latency',
    kind: 'histogram',
    says: 'Duration of looks and steps on our rows, ms',
    by: 'activity_type',
  },
  {
    name: 'temporal_activity_schedule_to_start_latency',
    kind: 'histogram',
    says: 'Wait of activities for a worker, ms',
    by: 'task_queue',
    isSeldom: true,
  },
  {
    name: 'temporal_activity_execution_failed',
    kind: 'counter',
    says: 'Failed activities',
    by: 'activity_type',
    isSeldom: true,
  },
  { name: 'temporal_request', kind: 'counter', says: 'Requests to Temporal', by: 'operation' },
  {
    name: 'temporal_request_failure',
    kind: 'counter',
    says: 'Failed requests to Temporal',
    by: 'operation',
    isSeldom: true,
  },
]
