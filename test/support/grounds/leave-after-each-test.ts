import { afterAll, afterEach } from "vitest";
import { leaveGround } from "./leave-ground.ts";

afterEach(leaveGround);
afterAll(leaveGround);
