import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CodeTabs } from '../../components/code-tabs.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'
import { buildRequest } from './build-request.ts'
import { checkSettings } from './check-settings.ts'
import { type CodeDialect, codeDialects } from './code-dialects.ts'
import { fieldErrorText } from './field-error-text.ts'
import { type CodeMedia, markMedia } from './media-in-code.ts'
import type { PlaygroundState } from './playground-store.ts'
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
  const { words, language } = useLocale()
  const { playground, shell } = words
  const state = usePlayground()
  const { system, settings, variables } = state
  const { baseUrl } = useSession()
  const { id: model } = useModel()
  const [dialect, setDialect] = useState<CodeDialect>('chat')
  const { options, errors } = checkSettings(settings)
  const { turns, media } = useMemo(() => markMedia(shownTurns(state)), [state])
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
            tabs={requestCode(buildRequest({ model, system, turns, options, variables }), baseUrl, dialect, media)}
            label={playground.code.label}
          />
          {dialect === 'chat' && media.some(({ file }) => file !== null) ? (
            <p className="small secondary">{mediaNote(media, playground.code).join(language.sentenceSeparator)}</p>
          ) : null}
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

const shownTurns = ({ turns, draft, attachments }: PlaygroundState): readonly Turn[] => {
  if (draft.trim() !== '' || attachments.length > 0)
    return [...turns, { kind: 'sent', id: 'draft', text: draft.trim(), attachments }]
  const last = turns.at(-1)
  return last?.kind === 'answer' && last.calls.length === 0 ? turns.slice(0, -1) : turns
}

type MediaWords = { files(names: readonly string[]): string; reducedFiles(names: readonly string[]): string }

/** Which files the code reads, and which of them have to be made smaller first, as the page does. */
const mediaNote = (media: readonly CodeMedia[], words: MediaWords): string[] => {
  const names = (read: readonly CodeMedia[]) => [...new Set(read.flatMap(({ file }) => file ?? []))]
  const reduced = names(media.filter(({ isReduced }) => isReduced))
  return [words.files(names(media)), ...(reduced.length === 0 ? [] : [words.reducedFiles(reduced)])]
}
