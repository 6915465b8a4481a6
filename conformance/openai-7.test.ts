import OpenAI from 'openai'
import { LengthFinishReasonError } from 'openai/core/error'
import { zodFunction, zodResponseFormat, zodTextFormat } from 'openai/helpers/zod'
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream'
import { openService } from './open-service.ts'
import { testAnswers } from './openai/answers.ts'
import { testErrors } from './openai/errors.ts'

import { testResponses } from './openai/responses.ts'
import { testStored } from './openai/stored.ts'
import { testStructuredOutput } from './openai/structured-output.ts'
import { testTools } from './openai/tools.ts'

const openai = { OpenAI, zodFunction, zodResponseFormat, zodTextFormat, ChatCompletionStream, LengthFinishReasonError }
const service = openService()
for (const testThem of [testStored, testAnswers, testTools, testStructuredOutput, testResponses, testErrors])
  testThem(openai, service)
