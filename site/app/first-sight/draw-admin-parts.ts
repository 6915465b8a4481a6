import type { Language } from '../../../languages/language.ts'
import type { AdminWords, FirstWords } from '../../../languages/words.ts'
import type { Checklist } from '../../../src/platform/contract/notices.ts'
import type { Problem } from '../../../src/platform/contract/overview.ts'
import { firstSteps } from '../first-day/first-steps.ts'
import { problemPages, problemText } from '../pages/overview/problem-text.ts'
import { drawElement, drawIconSpace, drawLink, drawSection } from './draw-first-words.ts'

/** As `pages/overview/problems-part.tsx` does, without its command. */
export const drawProblems = (problems: readonly Problem[], words: AdminWords, language: Language): Node => {
  const { overview } = words
  const rows = problems.map((problem) => {
    const page = problemPages[problem.kind]
    const link = page === undefined ? [] : [drawLink(page, overview.show[page])]
    return [
      drawElement('span', `tag ${problem.level}`, overview.levels[problem.level]),
      drawElement('span', '', problemText(problem, words, language), ' ', ...link),
    ]
  })
  const none = [drawElement('span', 'tag ok', overview.none), drawElement('span', 'secondary', overview.noneText)]
  const items = (rows.length === 0 ? [none] : rows).map((parts) => drawElement('li', '', ...parts))
  return drawSection(overview.problemsTitle, overview.problemsText, drawElement('ul', 'problems', ...items))
}

/** As `first-day/first-day.tsx` does, without its links and commands. */
export const drawFirstSteps = (checklist: Checklist, words: FirstWords, language: Language): Node => {
  const { firstDay } = words
  const steps = firstSteps(checklist, words, language)
  const items = steps.map(({ isDone, text, explanation }) =>
    drawElement(
      'li',
      isDone ? 'done' : '',
      drawIconSpace(),
      drawElement('span', '', text, ...(isDone ? [] : [drawElement('span', 'subtext', explanation)])),
    ),
  )
  const done = steps.filter(({ isDone }) => isDone).length
  const head = drawElement(
    'div',
    'first-day-head',
    drawElement('h2', '', firstDay.title),
    drawElement('p', 'muted small', firstDay.progress(done, steps.length)),
  )
  return drawElement('section', 'first-day', head, drawElement('ol', '', ...items))
}
