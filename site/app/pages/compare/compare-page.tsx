import { Link } from '@tanstack/react-router'
import { ArrowUp, Square } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { isRunning } from '../../answer/use-answer.ts'
import { Button } from '../../components/button.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { TextAreaField } from '../../components/text-area-field.tsx'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'
import '../../../styles/compare.css'
import { SideAnswer } from './side-answer.tsx'
import { SideFields } from './side-fields.tsx'
import { useSide } from './use-side.ts'

/** One prompt, asked with two settings at the same time. */
export const ComparePage = () => {
  const { compare, shell } = useWords()
  usePageTitle(compare.title)
  const a = useSide({ temperature: '0' })
  const b = useSide({ temperature: '1' })
  const sides = [
    { letter: 'A', side: a },
    { letter: 'B', side: b },
  ]
  const [prompt, setPrompt] = useState('')
  const [error, setError] = useState<string | null>(null)
  const running = sides.some(({ side }) => isRunning(side.answer))
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (running) {
      for (const { side } of sides) side.stop()
      return
    }
    const areRight = sides.map(({ side }) => side.check()).every(Boolean)
    const problem = prompt.trim() === '' ? compare.promptNeeded : areRight ? null : compare.wrong
    setError(problem)
    if (problem === null) for (const { side } of sides) side.ask(prompt)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!running) submit()
  }
  return (
    <div className="page wide">
      <PageHead
        title={compare.title}
        lede={compare.lede}
        action={
          <Link className="button" to="/playground">
            {compare.toPlayground}
          </Link>
        }
      />
      <form className="compare-prompt" onSubmit={submit}>
        <TextAreaField
          label={compare.prompt}
          value={prompt}
          error={error}
          onChange={(event) => setPrompt(event.target.value)}
          onKeyDown={press}
        />
        <Button type="submit" look={running ? 'outline' : 'primary'}>
          {running ? <Square size={16} fill="currentColor" aria-hidden /> : <ArrowUp size={16} aria-hidden />}
          {running ? shell.stop : compare.run}
        </Button>
      </form>
      <div className="compare">
        {sides.map(({ letter, side }) => (
          <section key={letter} aria-label={compare.side(letter)}>
            <h2>{compare.side(letter)}</h2>
            <SideFields side={side} />
            <SideAnswer answer={side.answer} onRetry={() => side.ask(prompt)} />
          </section>
        ))}
      </div>
    </div>
  )
}
