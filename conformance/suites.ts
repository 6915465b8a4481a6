/** One command. */
export type Step = readonly [program: string, ...args: string[]]

/** How to fetch a client, and how to build and run its scenarios. */
export type Suite = {
  name: string
  /** The required programs, and the command that shows each is installed. */
  tools: readonly Step[]
  /** Created in the scratch folder before anything runs. */
  files: Readonly<Record<string, string>>
  /** Where the sources are in `conformance/`, if not in a folder with the suite's name. */
  folder?: string
  /** Copied from there into the scratch folder, all side by side. */
  sources: readonly string[]
  /** Fetches the client. A failure here says nothing about the service. */
  fetch: readonly Step[]
  /** A failure here means that the scenarios no longer fit the library, and counts as one. */
  build: readonly Step[]
  run: Step
  /** It needs the tokens of a real model, since those of the scripted one are made up, or a model of another kind. */
  needsModel?: 'helix-v1' | 'tiny-reranker'
}

/** No version is given: Maven uses the newest release. */
export const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>helix</groupId>
  <artifactId>conformance</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>com.openai</groupId>
      <artifactId>openai-java</artifactId>
      <version>RELEASE</version>
    </dependency>
  </dependencies>
</project>
`

/** The newest official OpenAI library of each language. */
export const languageSuites: readonly Suite[] = [
  {
    name: 'python',
    tools: [['python3', '--version']],
    files: {},
    sources: ['scenarios.py', '../shared/playing.py'],
    fetch: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/python', '-m', 'pip', 'install', '--quiet', '--upgrade', 'openai'],
    ],
    build: [],
    run: ['venv/bin/python', '-u', 'scenarios.py'],
  },
  {
    name: 'go',
    tools: [['go', 'version']],
    files: {},
    sources: ['main.go'],
    fetch: [
      ['go', 'mod', 'init', 'helix/conformance'],
      // The library's own documentation uses the second package to create schemas.
      ['go', 'get', 'github.com/openai/openai-go/v3@latest', 'github.com/invopop/jsonschema@latest'],
    ],
    build: [['go', 'build', '-o', 'scenarios', '.']],
    run: ['./scenarios'],
  },
  {
    name: 'java',
    tools: [
      ['javac', '-version'],
      ['mvn', '--version'],
    ],
    files: { 'pom.xml': pom },
    sources: ['Scenarios.java'],
    fetch: [['mvn', '--batch-mode', '--quiet', 'dependency:copy-dependencies', '-DoutputDirectory=lib']],
    build: [['javac', '-encoding', 'UTF-8', '-cp', 'lib/*', '-d', 'classes', 'Scenarios.java']],
    run: [
      'java',
      '-Dfile.encoding=UTF-8',
      '-Dstdout.encoding=UTF-8',
      // Its logging library warns if no logger is configured.
      '-Dslf4j.internal.verbosity=ERROR',
      '-cp',
      'classes:lib/*',
      'Scenarios',
    ],
  },
]
