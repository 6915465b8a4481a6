import { Download } from 'lucide-react'
import { operationUrl } from '../../../platform/platform.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from './settings-part.tsx'

export const ExportPart = () => {
  const { signInMethods } = useWords()
  return (
    <SettingsPart title={signInMethods.export} text={signInMethods.exportText}>
      <a className="button" href={operationUrl('exportAccount', {})} download>
        <Download size={16} strokeWidth={1.5} aria-hidden />
        {signInMethods.exportButton}
      </a>
    </SettingsPart>
  )
}
