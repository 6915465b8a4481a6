import { useLocale, useWords } from '../../admin-words-context.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Field } from '../../components/field.tsx'
import { Tag } from '../../components/tag.tsx'
import { FailedTest } from './failed-test.tsx'
import type { ImportResult, ReadImport } from './use-import.ts'
import { wrongFields } from './wrong-fields.ts'

type ImportListProps = {
  preview: ReadImport
  results: ReadonlyMap<string, ImportResult>
  keys: ReadonlyMap<string, string>
  onKey(name: string, key: string): void
  onAddAnyway(name: string): void
}

/** What a file would add, what became of each, and what of the file has no counterpart. */
export const ImportList = ({ preview, results, keys, onKey, onAddAnyway }: ImportListProps) => {
  const { upstreams } = useWords()
  const { language } = useLocale()
  return (
    <>
      {preview.upstreams.length === 0 ? <p role="status">{upstreams.importNone}</p> : null}
      <ul className="import-list">
        {preview.upstreams.map(({ name, url, models, key, variable, problem }) => {
          const result = results.get(name)
          const isAdded = result?.isAdded === true
          return (
            <li key={name} className="stack">
              <div>
                <b className="mono">{name}</b> {isAdded ? <Tag state="ok">{upstreams.added(name)}</Tag> : null}
                <span className="subtext mono" translate="no">
                  {url}
                </span>
                <span className="subtext">{models.join(language.listSeparator)}</span>
                {problem === null || isAdded ? null : (
                  <span className="subtext">
                    {upstreams.details}{' '}
                    <span lang="en" translate="no">
                      {problem}
                    </span>
                  </span>
                )}
              </div>
              {key === 'missing' && !isAdded ? (
                <Field
                  label={upstreams.importKey(name)}
                  help={upstreams.importKeyHelp(variable ?? '')}
                  type="password"
                  autoComplete="new-password"
                  value={keys.get(name) ?? ''}
                  onChange={(event) => onKey(name, event.target.value)}
                />
              ) : null}
              {result === undefined || result.isAdded ? null : 'problem' in result ? (
                <FailedTest
                  problem={result.problem}
                  title={upstreams.importNotAdded(name)}
                  action={upstreams.addAnyway}
                  onSave={() => onAddAnyway(name)}
                />
              ) : (
                <ErrorNotice error={result.error} title={upstreams.importNotAdded(name)} {...reasonOf(result.error)} />
              )}
            </li>
          )
        })}
      </ul>
      {preview.omitted.length === 0 ? null : (
        <details className="advanced">
          <summary>{upstreams.importOmitted(preview.omitted.length)}</summary>
          <ul className="import-omitted small">
            {preview.omitted.map(({ path, code, value }) => (
              <li key={path}>
                <span className="mono" translate="no">
                  {path}
                </span>
                {upstreams.importColon}
                {/* A server that is newer than this page may have other reasons. */}
                {(preview.reasons[code] ?? code).replaceAll('{value}', () => value)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** In English, as the server says which fields are wrong. */
const reasonOf = (error: unknown): { text?: string } => {
  const wrong = wrongFields(error)
  return wrong === null ? {} : { text: [...Object.values(wrong.fields), wrong.other ?? ''].join(' ').trim() }
}
