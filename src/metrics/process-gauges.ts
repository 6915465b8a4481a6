import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Family } from './family.ts'
import { createGauge } from './gauge.ts'

/** Figures of the process under the names that Prometheus' own clients use, so that common dashboards show them. */
export const openProcessGauges = (): { families: Family[]; close(): void } => {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const startedAt = Date.now() / 1000 - process.uptime()
  const gauge = (name: string, help: string, read: () => number): Family => createGauge({ name, help, read })
  /** The timer's own 20 ms are part of what it measures. */
  const lag = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - 0.02)
  return {
    families: [
      createGauge({
        kind: 'counter',
        name: 'process_cpu_seconds',
        help: 'User and system CPU time of this process.',
        read() {
          const { user, system } = process.cpuUsage()
          return (user + system) / 1e6
        },
      }),
      gauge('process_start_time_seconds', 'When this process started.', () => startedAt),
      createGauge({
        name: 'process_threads',
        help: 'Threads of this process. Absent outside of Linux.',
        read: countThreads,
      }),
      gauge('process_resident_memory_bytes', 'Memory of this process.', () => process.memoryUsage.rss()),
      gauge(
        'nodejs_heap_size_used_bytes',
        'Memory in use by JavaScript objects.',
        () => process.memoryUsage().heapUsed,
      ),
      gauge('nodejs_external_memory_bytes', 'Memory of buffers.', () => process.memoryUsage().external),
      gauge('nodejs_eventloop_lag_p50_seconds', 'Median delay of the event loop since the last scrape.', () =>
        lag(delay.percentile(50)),
      ),
      gauge('nodejs_eventloop_lag_p99_seconds', '99th percentile of the same.', () => lag(delay.percentile(99))),
      gauge('nodejs_eventloop_lag_max_seconds', 'Longest delay of the event loop since the last scrape.', () => {
        const longest = lag(delay.max)
        delay.reset()
        return longest
      }),
    ],
    close: () => void delay.disable(),
  }
}

const countThreads = (): number | null => {
  try {
    const [, count] = /^Threads:\s+(\d+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return count === undefined ? null : Number(count)
  } catch {
    return null
  }
}
