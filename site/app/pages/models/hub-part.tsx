import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { proposeModelName } from '../../../../src/models/propose-model-name.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { roundText } from '../../figures.ts'
import { HubFiles } from './hub-files.tsx'
import { ModelError } from './model-error.tsx'
import { modelsQuery } from './models-query.ts'
import { useStartPull } from './use-start-pull.ts'

/** Searches the hub, and downloads what is chosen. */
export const HubPart = () => {
  const { language } = useLocale()
  const { models } = useWords()
  const platform = usePlatform()
  const [text, setText] = useState('')
  const [wanted, setWanted] = useState<string | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const query = useQuery({
    queryKey: ['model-hub', wanted],
    queryFn: ({ signal }) => platform.searchModelHub({ query: { search: wanted ?? '' }, signal }),
    enabled: wanted !== null,
    retry: false,
    staleTime: 60_000,
  })
  const search = (event: FormEvent): void => {
    event.preventDefault()
    setShown(null)
    setWanted(text.trim())
    if (text.trim() === wanted) void query.refetch()
  }
  const { data: listed } = useQuery(modelsQuery(platform))
  const found = query.data?.data
  return (
    <Section title={models.addTitle} text={models.hubText(hubName(listed?.hubUrl))}>
      <form className="hub-search" onSubmit={search}>
        <Field
          type="search"
          label={models.searchLabel}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" busy={query.isFetching}>
          {models.search}
        </Button>
      </form>
      <ModelError error={query.error} title={models.notSearched} />
      {found?.length === 0 ? <p className="secondary">{models.noResults}</p> : null}
      {found === undefined || found.length === 0 ? null : (
        <ul className="hub-results" aria-label={models.repositories}>
          {found.map(({ id, downloads, licence, isGated }) => (
            <li key={id}>
              <div className="repository">
                <div>
                  <b className="mono">{id}</b>
                  <span className="subtext">
                    {[
                      ...(licence === null ? [] : [models.licence(licence)]),
                      ...(downloads === null ? [] : [models.downloads(roundText(downloads, language))]),
                      ...(isGated ? [models.gated] : []),
                    ].join(' · ')}
                  </span>
                </div>
                <Button
                  aria-label={shown === id ? models.hideFilesOf(id) : models.showFilesOf(id)}
                  aria-expanded={shown === id}
                  onClick={() => setShown(shown === id ? null : id)}
                >
                  {shown === id ? models.hideFiles : models.showFiles}
                </Button>
              </div>
              {shown === id ? <HubFiles repository={id} /> : null}
            </li>
          ))}
        </ul>
      )}
      <PullByAddress />
    </Section>
  )
}

/** The usual one by its name, a mirror by its address. */
const hubName = (url = 'https://huggingface.co'): string => {
  const host = URL.parse(url)?.host ?? url
  return host === 'huggingface.co' ? 'Hugging Face' : host
}

/** As the server names it. */
const proposedName = (source: string): string => {
  const path = source.trim().replace(/[?#].*$/s, '')
  const fileName = path.split('/').at(-1) ?? ''
  try {
    return /\.gguf$/i.test(fileName) ? proposeModelName(decodeURIComponent(fileName)) : ''
  } catch {
    return ''
  }
}

const PullByAddress = () => {
  const { models } = useWords()
  const [source, setSource] = useState('')
  const [name, setName] = useState('')
  const start = useStartPull(() => {
    setSource('')
    setName('')
  })
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (source.trim() !== '' && !start.isPending) start.mutate({ source: source.trim(), name: name.trim() })
  }
  return (
    <>
      <form className="hub-search" onSubmit={send}>
        <Field
          label={models.urlLabel}
          placeholder={models.urlHelp}
          value={source}
          maxLength={2000}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setSource(event.target.value)}
        />
        <Field
          label={models.urlName}
          placeholder={proposedName(source)}
          value={name}
          maxLength={96}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" busy={start.isPending}>
          {models.pull}
        </Button>
      </form>
      <ModelError error={start.error} title={models.notStarted} />
    </>
  )
}
