import { integer, type Setting } from './setting.ts'

/** Answers kept for requests that are sent again. */
export const replaySettings = {
  resumeGraceMs: integer({
    default: 30_000,
    min: 0,
    max: 3_600_000,
    text: 'How long generation continues after the client disconnects, for requests with an Idempotency-Key.',
  }),
  replayRetentionHours: integer({
    editedIn: 'retention',
    default: 24,
    min: 1,
    max: 720,
    text: 'How long responses to requests with an Idempotency-Key are stored for replay.',
  }),
  replayAnswerLimitBytes: integer({
    default: 16_777_216,
    min: 65_536,
    max: 1_073_741_824,
    text: 'Largest response stored for replay. Of a larger response, only the part that clients have not received yet is kept.',
  }),
  replayMemoryLimitBytes: integer({
    default: 268_435_456,
    min: 65_536,
    max: 68_719_476_736,
    text: 'Maximum memory for responses being replayed.',
  }),
  replayDiskLimitBytes: integer({
    default: 1_073_741_824,
    min: 65_536,
    max: 1_099_511_627_776,
    text: 'Maximum disk space for responses stored for replay.',
  }),
} satisfies Record<string, Setting<unknown>>
