export const pullTags = { running: 'busy', paused: 'off', failed: 'bad', complete: 'ok', elsewhere: 'busy' } as const
