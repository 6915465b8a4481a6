import { PageHead } from '../../components/page-head.tsx'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'

export const WelcomePage = () => {
  const { shell } = useWords()
  usePageTitle(shell.welcome)
  return (
    <div className="page">
      <PageHead title={shell.welcome} lede={shell.welcome} />
    </div>
  )
}
