import list from './unsteady-tests.json' with { type: 'json' }

/** A test that is known to fail now and then, by its file and its full name. */
export type UnsteadyTest = { file: string; name: string }

/** They must be mended: more than five are a failure. `npm run repeat -- 10` runs each ten times before it leaves the list. */
export const unsteadyTests: readonly UnsteadyTest[] = list
export const maxUnsteadyTests = 5
