import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { TokenInfo } from '../../answer/token-info.ts'
import { percentText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'

/**
 * The tokens of an answer, the unlikely ones marked. The one pointed at, or reached by the arrow keys, is described in the line
 * above: its id, its probability and what else could have stood there.
 */
export const TokenView = ({ tokens }: { tokens: readonly TokenInfo[] }) => {
  const { playground } = useLocale().words
  const [chosen, setChosen] = useState<number | null>(null)
  const shown = chosen === null ? undefined : tokens[chosen]
  const point = ({ target }: PointerEvent): void => {
    const index = target instanceof HTMLElement ? target.dataset.token : undefined
    if (index !== undefined) setChosen(Number(index))
  }
  const press = (event: KeyboardEvent): void => {
    const at = chosen ?? -1
    const wanted = new Map([
      ['ArrowRight', at + 1],
      ['ArrowLeft', at - 1],
      ['Home', 0],
      ['End', tokens.length - 1],
    ]).get(event.key)
    if (wanted === undefined) return
    event.preventDefault()
    const next = Math.min(tokens.length - 1, Math.max(0, wanted))
    setChosen(next)
    // Of a long answer only a part is in sight.
    const { currentTarget } = event
    if (currentTarget instanceof HTMLElement) currentTarget.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <p className="token-readout small" role="status">
        {shown === undefined ? playground.tokens.hint : <TokenFacts token={shown} />}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        className="token-list"
        role="group"
        aria-label={playground.tokens.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys go from token to token
        tabIndex={0}
        translate="no"
        onPointerOver={point}
        onPointerDown={point}
        onKeyDown={press}
      >
        {tokens.map(({ text, probability }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: tokens are only ever added
            key={index}
            data-token={index}
            data-chosen={index === chosen || undefined}
            className={probability < 0.5 ? 'unlikely' : probability < 0.9 ? 'likely' : undefined}
          >
            {text}
          </span>
        ))}
      </div>
    </>
  )
}

const TokenFacts = ({ token: { text, id, probability, candidates } }: { token: TokenInfo }) => {
  const { language, words } = useLocale()
  const { tokens } = words.playground
  const others = candidates.filter((candidate) => candidate.text !== text)
  return (
    <>
      <b className="mono">{visible(text)}</b> {percentText(probability, language)}
      {id === null ? null : <span className="muted"> · {tokens.id(id)}</span>}
      {others.length === 0 ? null : (
        <span className="muted">
          {' '}
          · {tokens.others}{' '}
          {others.map((other, index) => (
            <span key={other.text}>
              {index === 0 ? null : ', '}
              <span className="mono">{visible(other.text)}</span> {percentText(other.probability, language)}
            </span>
          ))}
        </span>
      )}
    </>
  )
}

/** Spaces and line ends are tokens too. */
const visible = (text: string): string => text.replaceAll(' ', '␣').replaceAll('\n', '↵').replaceAll('\t', '⇥')
