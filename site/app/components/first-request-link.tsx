import { Link } from '@tanstack/react-router'
import { useMay } from '../role.ts'
import { useWords } from '../words-context.tsx'

/** What to do where nothing was asked yet, for those who may. */
export const FirstRequestLink = () => {
  const { shell } = useWords()
  return useMay()('usePlayground') ? (
    <Link className="button primary" to="/playground">
      {shell.firstRequest}
    </Link>
  ) : null
}
