import { wholeText } from '../figures.ts'
import { useLocale } from '../words-context.tsx'
import { Button } from './button.tsx'

type PagerProps = { page: number; pageSize: number; total: number; onPage(page: number): void }

/** Which part of a long list is shown, and the way to the others. Nothing if it all fits. */
export const Pager = ({ page, pageSize, total, onPage }: PagerProps) => {
  const { language, words } = useLocale()
  const { shell } = words
  if (total <= pageSize) return null
  const whole = (value: number): string => wholeText(value, language)
  const first = (page - 1) * pageSize + 1
  const last = Math.min(total, page * pageSize)
  return (
    <nav className="pager" aria-label={shell.pages}>
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        {shell.previousPage}
      </Button>
      <span className="tabular" role="status">
        {shell.shownOf(whole(first), whole(last), whole(total))}
      </span>
      <Button disabled={last === total} onClick={() => onPage(page + 1)}>
        {shell.nextPage}
      </Button>
    </nav>
  )
}
