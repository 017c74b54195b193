/**
 * Tools for tests of storages and of programs that use the library: the storage contract as cases for any runner, storages that fail or yield,
 * and a clock and ids that stand still.
 *
 * @packageDocumentation
 */
export type { ContractTarget } from "./testing/contract/contract-target.ts";
export { type FaultPlan, faultyStorage } from "./testing/faulty-storage.ts";
export { type FixedClock, fixedClock } from "./testing/fixed-clock.ts";
export { sequentialIds } from "./testing/sequential-ids.ts";
export { type ContractCase, storageContract } from "./testing/storage-contract.ts";
export { yieldingStorage } from "./testing/yielding-storage.ts";
