export const pullTags = { running: 'warn', paused: 'off', failed: 'bad', complete: 'ok', elsewhere: 'warn' } as const
