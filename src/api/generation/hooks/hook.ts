import type { HookPhase, HookSetting } from '../../../config/hook-setting.ts'
import type { Redaction } from './scan/redaction.ts'

/** Which request a hook looks at. */
export type HookContext = {
  requestId: string
  organisationId: string
  /** Null for the playground. */
  keyId: string | null
  endpoint: string
  model: string
}

/** A text of a message or prompt, or of a choice of the answer. */
export type HookText = {
  role: string
  text: string
  /** The arguments of a call, which may be JSON. */
  isJson?: boolean
}

export type HookDecision =
  | { type: 'allow' }
  | { type: 'block' }
  /** As many texts as there were. */
  | { type: 'replace'; action: 'redacted' | 'replaced'; texts: readonly string[]; count: number }

/** Why a hook could not decide, in words for the operator. */
export class HookFailure extends Error {
  override readonly name = 'HookFailure'
}

/** Looks at texts, and may have them blocked or replaced. Throws if it cannot decide. */
export interface Hook extends Pick<HookSetting, 'name' | 'phases' | 'onFailure'> {
  check(texts: readonly HookText[], phase: HookPhase, context: HookContext, signal: AbortSignal): Promise<HookDecision>
  /** Decides about a text piece by piece, as it is generated. Null: only about the whole answer. */
  readonly stream: { open(options: { isJson: boolean }): Redaction; action: 'redact' | 'block' } | null
}
