import { codeLiteral } from './code-literals.ts'

/** A call as the samples send it: `%chat%` and what stands in «guillemets» are marks of `sampleCode`. */
export type SampleCall = {
  method: string
  /** Below `/v1`, with values in place of its parameters. */
  path: string
  body?: object
}

/** One call in six languages, each complete. Python, TypeScript and Go use the official client, which can send any request. */
export const plainSamples = (call: SampleCall) => ({
  curl: curl(call),
  python: python(call),
  typescript: typescript(call),
  go: go(call),
  java: java(call),
  csharp: csharp(call),
})

const curl = ({ method, path, body }: SampleCall): string => {
  const verb = method === (body === undefined ? 'GET' : 'POST') ? '' : ` -X ${method}`
  const lines = [
    `curl${verb} "$BASE_URL${path}"`,
    '-H "Authorization: Bearer «$HELIX_API_KEY»"',
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${indented(codeLiteral('json', body), '  ')}'`]),
  ]
  return `BASE_URL=«%origin%/v1»\n${lines.join(' \\\n  ')}`
}

export const pythonClient = `import os
from openai import OpenAI

base_url = "«%origin%/v1»"
client = OpenAI(base_url=base_url, api_key=«os.environ["HELIX_API_KEY"]»)
`

const python = ({ method, path, body }: SampleCall): string =>
  `${pythonClient}answer = client.${method.toLowerCase()}("${path}", cast_to=object${body === undefined ? '' : `, body=${codeLiteral('python', body)}`})
print(answer)`

export const typescriptClient = `import OpenAI from 'openai'

const baseURL = '«%origin%/v1»'
const client = new OpenAI({ baseURL, apiKey: «process.env.HELIX_API_KEY» })
`

const typescript = ({ method, path, body }: SampleCall): string =>
  `${typescriptClient}const answer = await client.${method.toLowerCase()}('${path}'${body === undefined ? '' : `, {\n  body: ${codeLiteral('typescript', body, '  ')},\n}`})
console.log(answer)`

/** The whole program around what is called; `imports` are further packages of the client. */
export const goProgram = (lines: string, imports: readonly string[] = []): string => `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
${imports.map((name) => `	"github.com/openai/openai-go/v3/${name}"\n`).join('')})

func main() {
	baseURL := "«%origin%/v1»"
	client := openai.NewClient(option.WithBaseURL(baseURL), option.WithAPIKey(«os.Getenv("HELIX_API_KEY")»))
	ctx := context.Background()
${indented(`\t${lines}`, '\t')}
}`

const go = ({ method, path, body }: SampleCall): string => {
  const verb = `${method.slice(0, 1)}${method.slice(1).toLowerCase()}`
  return goProgram(`var answer map[string]any
err := client.${verb}(ctx, "${path.slice(1)}", ${body === undefined ? 'nil' : codeLiteral('go', body)}, &answer)
if err != nil {
	panic(err)
}
fmt.Println(answer)`)
}

const java = ({ method, path, body }: SampleCall): string => {
  const send =
    body === undefined ? (method === 'POST' ? '.POST(BodyPublishers.noBody())' : `.${method}()`) : javaBody(body)
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
${send.includes('BodyPublishers') ? 'import java.net.http.HttpRequest.BodyPublishers;\n' : ''}import java.net.http.HttpResponse.BodyHandlers;

public class Example {
    public static void main(String[] args) throws Exception {
        String baseUrl = "«%origin%/v1»";
        HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + "${path}"))
            .header("Authorization", "Bearer " + «System.getenv("HELIX_API_KEY")»)${body === undefined ? '' : '\n            .header("Content-Type", "application/json")'}
            ${send}
            .build();
        System.out.println(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
    }
}`
}

const javaBody = (body: object): string => `.POST(BodyPublishers.ofString("""
                ${indented(codeLiteral('json', body), '                ')}
                """))`

const csharp = ({ method, path, body }: SampleCall): string => {
  const verb = `${method.slice(0, 1)}${method.slice(1).toLowerCase()}Async`
  const content = body === undefined ? (method === 'POST' ? ', null' : '') : `, content`
  return `using System.Net.Http.Headers;
${body === undefined ? '' : 'using System.Text;\n'}
var baseUrl = "«%origin%/v1»";
using var client = new HttpClient();
client.DefaultRequestHeaders.Authorization =
    new AuthenticationHeaderValue("Bearer", «Environment.GetEnvironmentVariable("HELIX_API_KEY")»);
${body === undefined ? '' : `using var content = new StringContent("""\n    ${indented(codeLiteral('json', body), '    ')}\n    """, Encoding.UTF8, "application/json");\n`}using var answer = await client.${verb}(baseUrl + "${path}"${content});
Console.WriteLine(await answer.Content.ReadAsStringAsync());`
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)
