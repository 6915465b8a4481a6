import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { Field } from '../../components/field.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { isCostLimit } from '../limits/limit-words.ts'
import { type DraftField, type KeyDraft, usualScopes } from './key-draft.ts'
import { LimitFields } from './limit-fields.tsx'
import { mayManage } from './may-change.ts'
import { ModelFields } from './model-fields.tsx'
import { RightsFields } from './rights-fields.tsx'
import { useAllowedText } from './use-allowed-text.ts'

type DraftFieldsProps = {
  draft: KeyDraft
  wrong: readonly DraftField[]
  /** A key that exists neither becomes a management key nor stops being one. */
  isNew: boolean
  /** Under the field of a limit. */
  limitHelp?(name: LimitName): string | undefined
  /** The field of a limit was left. */
  onLeaveLimit(name: LimitName): void
  onChange(draft: KeyDraft): void
}

/** The settings of a key beyond its name. */
export const DraftFields = (props: DraftFieldsProps) => {
  const { draft, wrong, isNew, limitHelp, onLeaveLimit, onChange } = props
  const allowed = useAllowedText()
  const { keys } = useWords()
  const { organisation } = useSession()
  const isManager = mayManage(organisation.role)
  const change = (some: Partial<KeyDraft>): void => onChange({ ...draft, ...some })
  const fieldError = (field: DraftField, text: string): string | undefined => (wrong.includes(field) ? text : undefined)
  const wrongLimits = Object.fromEntries(
    wrong.map((field) => [field, isCostLimit(field) ? keys.amountWrong : keys.limitWrong]),
  )
  return (
    <>
      {isNew || draft.scopes.every((scope) => usualScopes.includes(scope)) ? (
        <RightsFields
          draft={draft}
          mayManage={isNew && isManager}
          wrong={fieldError('scopes', keys.scopesNeeded)}
          onChange={change}
        />
      ) : null}
      {isNew || isManager ? (
        <>
          <LimitFields
            texts={draft.limits}
            wrong={wrongLimits}
            help={(name) => limitHelp?.(name) ?? allowed(name, draft.limits[name])}
            onLeave={onLeaveLimit}
            onChange={(limits) => change({ limits })}
          />
          <p className="small">{keys.limitHelp}</p>
        </>
      ) : null}
      <ModelFields
        chosen={draft.models}
        wrong={fieldError('models', keys.modelsWrong)}
        onChange={(models) => change({ models })}
      />
      <Field
        label={keys.networks}
        help={keys.networksHelp}
        error={fieldError('networks', keys.networksWrong)}
        value={draft.networks}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => change({ networks: event.target.value })}
      />
    </>
  )
}
