import { Fragment, type KeyboardEvent, useId, useState } from 'react'
import { chosenCodeTab, rememberCodeTab } from '../../preferences/code-tab.ts'
import { CodeRunViews } from '../markdown/code-run-views.tsx'
import { splitRuns } from '../markdown/split-runs.ts'
import { useHighlight } from '../markdown/use-highlight.ts'
import { useWords } from '../words-context.tsx'
import { CopyButton } from './copy-button.tsx'

/** A piece of code: plain text, or something of the reader's own, which is marked and may be shortened on screen. */
export type CodePart = string | { yours: string; shown?: string }
export type CodeTab = { id: string; name: string; parts: readonly CodePart[] }

/** Code in several languages; the choice is remembered. The whole code is copied, even where it is shortened on screen. */
export const CodeTabs = ({
  tabs,
  label,
  onCopied,
}: {
  tabs: readonly CodeTab[]
  label: string
  onCopied?: () => void
}) => {
  const id = useId()
  const [chosen, setChosen] = useState(() => chosenCodeTab())
  const tab = tabs.find((each) => each.id === chosen) ?? tabs[0]
  const { shell } = useWords()
  if (tab === undefined) return null
  const choose = (next: CodeTab): void => {
    setChosen(next.id)
    rememberCodeTab(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = tabs.at((tabs.indexOf(tab) + step) % tabs.length)
    if (step === 0 || next === undefined) return
    event.preventDefault()
    choose(next)
  }
  return (
    <div className="code">
      <div className="bar">
        <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
          {tabs.map((each) => (
            <button
              key={each.id}
              id={`${id}-${each.id}`}
              type="button"
              role="tab"
              aria-selected={each === tab}
              aria-controls={`${id}-panel`}
              tabIndex={each === tab ? 0 : -1}
              onClick={() => choose(each)}
            >
              {each.name}
            </button>
          ))}
        </div>
        <CopyButton look="plain" text={wholeText(tab)} onCopied={onCopied} aria-label={`${shell.copy}: ${tab.name}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys */}
      <pre id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${tab.id}`} tabIndex={0} translate="no">
        <TabCode tab={tab} />
      </pre>
    </div>
  )
}

/** By the ids of tabs. */
const languages: Readonly<Record<string, string>> = { python: 'python', typescript: 'typescript' }

const TabCode = ({ tab: { id, parts } }: { tab: CodeTab }) => {
  const shown = parts.map((part) => (typeof part === 'string' ? part : (part.shown ?? part.yours)))
  const looks = splitRuns(useHighlight(languages[id] ?? 'bash', shown.join(''), false), shown)
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
    <Fragment key={index}>
      {typeof part === 'string' ? (
        <CodeRunViews runs={looks[index] ?? []} />
      ) : (
        <span className="own-value">{shown[index]}</span>
      )}
    </Fragment>
  ))
}

export const wholeText = ({ parts }: CodeTab): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.yours)).join('')
