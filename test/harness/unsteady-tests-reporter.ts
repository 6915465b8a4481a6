import type { Reporter } from 'vitest/node'

/** Names the tests that failed at first and passed when they were repeated, so that nobody overlooks them. */
export const unsteadyTestsReporter: Reporter = {
  onTestRunEnd(modules) {
    for (const module of modules)
      for (const test of module.children.allTests('passed'))
        if (test.diagnostic()?.flaky === true)
          console.error(`UNSTEADY: failed once, then passed: ${module.relativeModuleId} > ${test.fullName}`)
  },
}
