import { docs } from './en/docs.ts'
import { frame } from './en/frame.ts'
import { gate } from './en/gate.ts'
import { landing } from './en/landing.ts'
import { quickstart } from './en/quickstart.ts'

export const en = { frame, landing, gate, docs, quickstart } as const
