// Compares the public surface of each entry with its report in etc/api; with --local it writes the reports.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";

const root = fileURLToPath(new URL("..", import.meta.url));
const localBuild = process.argv.includes("--local");
const configPath = `${root}api-extractor.json`;
const failed = [];

mkdirSync(`${root}etc/api`, { recursive: true });
for (const entry of ["index", "node", "mcp", "testing"]) {
  const configObject = ExtractorConfig.loadFile(configPath);
  configObject.mainEntryPointFilePath = `${root}temp/dts/${entry}.d.ts`;
  configObject.apiReport.reportFileName = entry;
  configObject.docModel.apiJsonFilePath = `${root}temp/api/${entry}.api.json`;
  const extractorConfig = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: configPath,
    packageJsonFullPath: `${root}package.json`,
  });
  const result = Extractor.invoke(extractorConfig, { localBuild, showVerboseMessages: false });
  if (!result.succeeded) failed.push(entry);
}

if (failed.length > 0) {
  console.error(`The API report differs or has errors in: ${failed.join(", ")}.`);
  console.error("A wanted change of the surface: run `npm run api:update` and commit etc/api.");
  process.exitCode = 1;
}
