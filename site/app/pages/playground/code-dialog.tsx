import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CodeTabs } from '../../components/code-tabs.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { buildRequest, shortenMedia } from './build-request.ts'
import { checkSettings } from './check-settings.ts'
import { type CodeDialect, codeDialects } from './code-dialects.ts'
import { fieldErrorText } from './field-error-text.ts'
import { requestCode } from './request-code.ts'
import { fieldNames } from './settings.ts'
import type { Turn } from './turns.ts'
import { useModel } from './use-model.ts'
import { usePlayground } from './use-playground.ts'

/**
 * The next request as a program: with what is still in the composer, or else with the last message that was sent. While a
 * parameter is invalid nothing would be sent, so the errors are listed instead of code.
 */
export const CodeDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) => {
  const { playground, shell } = useWords()
  const { system, draft, turns, settings, variables } = usePlayground()
  const { baseUrl } = useSession()
  const { id: model } = useModel()
  const [dialect, setDialect] = useState<CodeDialect>('chat')
  const { options, errors } = checkSettings(settings)
  const wrongFields = fieldNames.filter((name) => errors[name] !== undefined)
  return (
    <Dialog isOpen={isOpen} title={playground.code.title} onClose={onClose} wide>
      {wrongFields.length > 0 ? (
        <div role="alert">
          <p>{playground.code.nothingSent}</p>
          <ul className="field-errors">
            {wrongFields.map((name) => (
              <li key={name}>
                <b>{playground.fields[name]}</b>
                <span className="error-text">{fieldErrorText(errors[name], playground)}</span>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <>
          <SelectField<CodeDialect>
            label={playground.code.api}
            help={dialect === 'chat' ? playground.code.text : playground.code.otherText}
            value={dialect}
            options={codeDialects.map((value) => ({ value, text: playground.code.apis[value] }))}
            onChoose={setDialect}
          />
          <CodeTabs
            tabs={requestCode(
              shortenMedia(buildRequest({ model, system, turns: shownTurns(turns, draft), options, variables })),
              baseUrl,
              dialect,
            )}
            label={playground.code.label}
          />
        </>
      )}
      <div className="actions">
        <Link className="button" to="/keys">
          {playground.code.getKey}
        </Link>
        <Button onClick={onClose}>{shell.close}</Button>
      </div>
    </Dialog>
  )
}

const shownTurns = (turns: readonly Turn[], draft: string): readonly Turn[] => {
  if (draft.trim() !== '') return [...turns, { kind: 'sent', id: 'draft', text: draft.trim() }]
  const last = turns.at(-1)
  return last?.kind === 'answer' && last.calls.length === 0 ? turns.slice(0, -1) : turns
}
