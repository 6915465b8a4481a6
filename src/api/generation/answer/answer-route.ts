import type { AnswerRoute, AnswerTiming } from '../../../engine/contract.ts'
import type { SettledRoute } from '../../../store/ledger-contract.ts'
import type { CompletionProgress } from '../completion-progress.ts'

/**
 * The upstreams that answer, as far as they are known when the head of the response is sent. Names may contain any
 * characters.
 */
export const routeHeaders = (route: AnswerRoute | undefined): Record<string, string> => {
  const name = route?.upstreams.at(-1)
  if (route === undefined || name === undefined) return {}
  return { 'x-helix-upstream': encodeURIComponent(name), 'x-helix-attempts': String(route.attempts) }
}

/** The same for the log, once the answer has ended. */
export const logRoute = (progress: CompletionProgress, route: AnswerRoute | undefined): void => {
  if (route === undefined || route.attempts === 0) return
  progress.upstreams = [...new Set(route.upstreams)].join(',')
  progress.upstreamAttempts = route.attempts
}

/** The same for the ledger. */
export const settledRoute = (route: AnswerRoute | undefined): { route?: SettledRoute } => {
  if (route === undefined || route.attempts === 0) return {}
  const { timing, failed, upstreams, ...rest } = route
  return {
    route: {
      ...rest,
      upstreams: [...new Set(upstreams)],
      ...(failed === undefined ? {} : { failed: [...new Set(failed)] }),
      ...(timing === undefined ? {} : { timing: settledTiming(timing) }),
    },
  }
}

const settledTiming = ({
  askedAtMs,
  firstTokenAtMs,
  endedAtMs,
}: AnswerTiming): NonNullable<SettledRoute['timing']> => ({
  firstTokenMs: firstTokenAtMs - askedAtMs,
  answerMs: endedAtMs - firstTokenAtMs,
})
