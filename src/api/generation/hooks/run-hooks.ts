import { ApiError } from '../../../base/api-error.ts'
import { errorText, type Log } from '../../../base/log.ts'
import type { HookPhase } from '../../../config/hook-setting.ts'
import { type HookAction, type HookActionName, writeHookActions } from '../../../store/hook-actions.ts'
import type { CompletionProgress } from '../completion-progress.ts'
import { type Hook, type HookContext, type HookDecision, HookFailure, type HookText } from './hook.ts'

/** The hooks of one request, and what they have done so far. */
export interface RequestHooks {
  readonly context: HookContext
  of(phase: HookPhase): readonly Hook[]
  /** Throws if the texts are blocked; otherwise returns what is left of them, null if nothing was changed. */
  run(
    hooks: readonly Hook[],
    texts: readonly HookText[],
    phase: HookPhase,
    signal: AbortSignal,
  ): Promise<readonly string[] | null>
  note(hook: string, action: HookActionName, count: number): void
  block(hook: string): never
  /** The hook could not decide: throws unless it lets texts pass then. */
  fail(hook: Pick<Hook, 'name' | 'onFailure'>, error: unknown): void
}

type RequestHooksOptions = { hooks: readonly Hook[]; context: HookContext; progress: CompletionProgress; log: Log }

export const openRequestHooks = ({ hooks, context, progress, log }: RequestHooksOptions): RequestHooks => {
  const actions: HookAction[] = []
  const note = (hook: string, action: HookActionName, count: number): void => {
    const known = actions.find((one) => one.hook === hook && one.action === action)
    if (known === undefined) actions.push({ hook, action, count })
    else known.count += count
    progress.hooks = writeHookActions(actions)
  }
  const block = (hook: string): never => {
    note(hook, 'blocked', 1)
    throw ApiError.of('blocked_by_hook', { hook }, { shouldRetry: false })
  }
  const fail = ({ name: hook, onFailure }: Pick<Hook, 'name' | 'onFailure'>, error: unknown): void => {
    note(hook, 'failed', 1)
    log.warn('hook_failed', {
      requestId: context.requestId,
      hook,
      cause: error instanceof HookFailure ? error.message : errorText(error),
    })
    if (onFailure === 'block') throw ApiError.of('hook_failed', { hook })
  }
  const decide = async (...[hook, texts, phase, signal]: DecideArguments): Promise<HookDecision> => {
    try {
      return await hook.check(texts, phase, context, signal)
    } catch (error) {
      signal.throwIfAborted()
      fail(hook, error)
      return { type: 'allow' }
    }
  }
  return {
    context,
    of: (phase) => hooks.filter(({ phases }) => phases.includes(phase)),
    note,
    block,
    fail,
    async run(run, texts, phase, signal) {
      let current = texts
      for (const hook of run) {
        const decision = await decide(hook, current, phase, signal)
        if (decision.type === 'block') return block(hook.name)
        if (decision.type === 'allow') continue
        note(hook.name, decision.action, decision.count)
        current = current.map((one, index) => ({ ...one, text: decision.texts[index] ?? one.text }))
      }
      return current === texts ? null : current.map(({ text }) => text)
    },
  }
}

type DecideArguments = [hook: Hook, texts: readonly HookText[], phase: HookPhase, signal: AbortSignal]
