/** A busy machine may not run a process for some seconds: much shorter, and nodes would lose their leases without a fault. */
export const chaosLeaseTimes = { beatMs: 1_000, leaseMs: 8_000, jitter: 0.1 }

/** The others wait for the lease, and then take a few heartbeats to notice and settle. */
export const longPauseMs = chaosLeaseTimes.leaseMs + 5 * chaosLeaseTimes.beatMs
